/** The parts of htmx that scripts use. */
interface HtmxRequest {
  method: string;
  action: string;
  form?: HTMLFormElement;
  submitter?: HTMLElement | null;
}
interface HtmxContext {
  sourceElement: HTMLElement;
  request?: HtmxRequest;
  response?: { status: number; raw: Response };
  text?: string;
  select?: string;
  /** Set by follow.ts: the update was not asked for by the user. */
  following?: boolean;
}
interface HtmxTask {
  type: string;
  fragment: DocumentFragment;
}
interface DocumentEventMap {
  'htmx:config:request': CustomEvent<{ ctx: HtmxContext & { request: HtmxRequest } }>;
  'htmx:before:request': CustomEvent<{ ctx: HtmxContext }>;
  'htmx:after:request': CustomEvent<{ ctx: HtmxContext & { response: { status: number; raw: Response } } }>;
  'htmx:finally:request': CustomEvent<{ ctx: HtmxContext & { request: HtmxRequest } }>;
  'htmx:before:swap': CustomEvent<{ ctx: HtmxContext; tasks: HtmxTask[] }>;
  'htmx:after:swap': CustomEvent<{ ctx: HtmxContext }>;
  'htmx:error': CustomEvent<{ ctx?: HtmxContext; error: unknown }>;
}
declare const htmx: {
  process(element: Element): void;
  swap(options: {
    sourceElement: Element;
    text: string;
    target: string;
    select: string;
    swap: string;
    selectOOB?: string;
    following?: boolean;
  }): Promise<void>;
  registerExtension(name: string, extension: object): void;
};
declare const stintEditor: typeof import('../../editor/browser/index.ts');
