/** English words that often begin a sentence of a progress note with a capital and are no names. Words that are also given
 *  names or months (Will, May, Mark, Grant …) are left out on purpose. The endings in names.ts cover most other words. */

function words(text: string): Set<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Say how a text hangs together, not what it is about. */
export const functionWords = words(`
a an the this that these those it its i we you he she they me us him her them my our your his their mine ours yours theirs
myself ourselves itself themselves yourself himself herself who whom whose which what where when why how and or but so yet nor for of to in on at by
with from into onto over under up down out off as than then thus hence also too very just only even still again already now
here there is are was were be been being am do does did done doing has have had having can will would shall get got getting
gets let lets it's i'm i've i'd i'll we've we're we'd we'll they're they've they'll you're that's there's here's what's let's
he's she's go goes going went make makes made making take takes took taken taking look looks looked looking put about after
before during since while through between among within via per against because although though however therefore if any each
other another such same own more most less least much many few some all both either one's etc eg ie vs really actually
basically simply quite well like able way thing things stuff bit lot kind sort ahead along around away back toward towards
said says say say's seems seem appears appear ok okay yes please thanks thank hi hello hey everyone everybody someone anyone
somebody anybody something anything everything folks team guys quick quickly morning afternoon currently recently previously
finally honestly apparently turns turned
wir ich der die das den dem ein eine einen es sie er haben hat ist sind wird je nous le la les il elle un une des est sont yo
nosotros el los las una está io noi lo gli è het een wij zijn eu nós os as`);

export const commonWords = words(`
access account action actions add added adds adding admin agent agents agree agreed alert alerts allow api app apps approval
approve approved areas area ask asked assign assigned attempt audit auth author automate automatic average avoid backend
backlog backup bad bank base batch best better big blocked blocker blockers blocking board bot branch break breaks broke
broken browser budget bug bugs build builds built bump button buttons cache call called calls cancel card cards case cases
cause caused causes change changed changes channel chat check checked checks choose chose class clean cleaned clear client
clients close closed cloud code column columns comment comments commit commits complete completed config configure confirm
confirmed connect connection consider container continue continued contract control copy core correct cost count cover
coverage crash crashed crashes create created credentials current currently customer customers cut daily data database
deadline debug decide decided decision default delay delayed delays delete deleted demo depend depends deploy deployed
deployment deploys design designed designs detail details dev developer developers device different discuss discussed disk
doc docs document documents domain done draft drafted drop dropped due early edit effort email emails empty enable end
endpoint endpoints engine enough env environment error errors estimate estimates event events example except expect expected
expects expose extend extra extract fail failed fails failure failures fast feature features feedback fetch field fields
figure file files fill final finally find finish finished first fix fixed fixes flag flaky flow focus follow followed form
format former found free fresh frontend full function functions further future gap general generate give given gives goal
goals good great green group guide half handle handler hard have help helped here hide high hit hold hook host hot hour hours
hotfix idea image images impact implement implemented import importer improve improved include includes increase index info
initial input install instead integration intermittent internal investigate investigated invite issue issues item items job
jobs join keep kept key keys known lack large last late latency later latest launch layout lead leak leaks leave left legacy
legal length level library limit limits line link links list load loads local lock log logged login logout logs long lost low
mail main maintenance major manager manual map match maybe measure meet meeting member memory merge merged merges message
messages met metric metrics middle migrate migrated migration migrations minor minute minutes missing mobile mock model
module modules monitor month move moved moves multiple name names need needed needs network new next nice night nightly node
not note notes nothing nobody notify number numbers object old once one open opened operation operations option options order
original outage outcome output overall override owner owners package page pages paid pair part parts pass passed passes patch
path pause pending people perf performance perhaps permission permissions person phase pick picked pipeline place plan
planned plans platform plus point points poll pool port possible possibly post present press prevent previous price prior
priority private problem problems process processes product production profile progress project projects prompt proposal
proposed provide provider public publish pull purge push pushed qa quality query queries question questions queue raise raised
ran random rate ready real reason rebase rebuild receive recent record records red redo reduce reduced refactor refactored
refresh region release released releases reload remain remaining remains remind reminder remote remove removed removes rename
render replace replaced replay reply report reported reports request requests require required requirement requirements
requires rerun reset resolve resolved response responses rest restart restore result results retry return returns revert
reverted review reviewed reviewer reviewers reviews rewrite rewrote risk risks role roles roll rollback rollout root round
route routes row rows rule rules run running runs safe sample save saved saw schedule scheduled schema scope screen script
scripts search second section security see seen select send sent separate server servers service services session set sets
setting settings setup several share shared ship shipped short should show showed shows side sign signup similar simple
single site size skip slow small smoke solve solved soon source spec specs speed spent split sprint stack staff stage staging
standup start started starts state status step steps stop stopped stops storage store story streamline string stuck style
submit success suite summary support supposed sure swap switch switched sync system systems tab table tables tag target
task tasks tech template templates temporary test tested tests text theme thread threads three ticket tickets time timeout
timeouts timer timers times title todo to-do today token tokens told tomorrow tonight tool tools top topic total touch
trace track traffic train tried trigger triggers try two type types typo ui unable unclear under unit unknown unless until
unsure update updated updates upgrade upgraded upload uploads url use used useful user users uses using usual usually
validate value values verify verified version versions video view views visible wait waited waiting waits want wanted warning
watch web week weekend weeks welcome whole wide widget window wip wire won't work worked worker workers workflow working works
workaround write writes written wrong wrote x year years yesterday zero probably apparently presumably hopefully unfortunately
meanwhile otherwise additionally furthermore moreover overall luckily sadly together currently recently previously eventually
somehow sometimes often always never maybe think thought believe guess suspect suspected assume assuming assumed according
despite besides unlike whether without beyond except depending afterwards instead including regarding concerning given
cannot can't don't doesn't didn't isn't aren't wasn't weren't haven't hasn't hadn't shouldn't couldn't wouldn't no none
neither nor must might could likely unlikely none's got's looks sounds feels seemingly asap fyi btw ok todo fixme wip tl;dr
imo imho afaik afaict iirc tbd`);
