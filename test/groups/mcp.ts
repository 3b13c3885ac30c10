/** The agent endpoint. */
import '../mcp/clients.db.test.ts';
import '../mcp/deadline.db.test.ts';
import '../mcp/fuzz.db.test.ts';
import '../mcp/items.db.test.ts';
import '../mcp/keyLimits.db.test.ts';
import '../mcp/modern.db.test.ts';
import '../mcp/once.db.test.ts';
import '../mcp/parity.db.test.ts';
import '../mcp/protocol.db.test.ts';
import '../mcp/relations.db.test.ts';
import '../mcp/service.db.test.ts';
import '../mcp/updateItems.db.test.ts';
import '../mcp/warnings.db.test.ts';
