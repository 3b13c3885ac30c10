/** The official conformance suite of the protocol, and linters of the API document. */
import '../../mcp/conformance.db.test.ts';
import '../../rest/openapi.db.test.ts';
