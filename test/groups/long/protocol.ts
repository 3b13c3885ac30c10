/** The official conformance suite of the protocol. */
import '../../mcp/conformance.db.test.ts';
