/** Words that say nothing about the subject of a question. The search ignores them. */
export const stopWords: ReadonlySet<string> = new Set(
  "a all an and any are as at be by can could did do does for from get how i if in into is it its make me my of on once or s should so than that the their them there this to use using was we what when where which who why will with without work would you your".split(
    " ",
  ),
);

/**
 * Maps one or two words that people type to the documents' words, if the documents do not use the typed words, use them
 * in another sense, or use them only in a title. A synonym is not looked up again.
 */
export const synonyms: ReadonlyMap<string, readonly string[]> = new Map([
  ["sdk", ["client libraries"]],
  ["sdks", ["client libraries"]],
  ["library", ["client libraries"]],
  ["package", ["client libraries"]],
  ["quickstart", ["first call"]],
  ["tutorial", ["quickstart"]],
  ["getting started", ["quickstart"]],
  ["start", ["quickstart"]],
  ["install", ["client libraries"]],
  ["token", ["key"]],
  ["cents", ["decimal"]],
  ["long", ["timeout"]],
  ["slow", ["timeout"]],
  ["breaking", ["incompatible", "versions"]],
  ["fail", ["refused"]],
  ["failed", ["refused"]],
  ["wrong", ["confuses"]],
  ["detected", ["analysed"]],
  ["several", ["checkout"]],
  ["purchase", ["order"]],
  ["throttling", ["limit"]],
  ["login", ["sign in"]],
  ["signup", ["register"]],
  ["sync", ["mirror"]],
  ["cursor", ["position"]],
  ["earnings", ["sales"]],
  ["payout", ["sales"]],
  ["revenue", ["sales"]],
  ["money back", ["refund"]],
  ["chargeback", ["dispute"]],
  ["cart", ["basket", "checkout"]],
  ["receipt", ["mail"]],
  ["genuine", ["certificate"]],
  ["localhost", ["listen"]],
  ["team", ["organisation"]],
  ["player", ["embed"]],
  ["sunset", ["deprecation"]],
  ["gdpr", ["erase"]],
  ["outage", ["status"]],
  ["uptime", ["status"]],
  ["agent", ["mcp"]],
  ["llm", ["agents"]],
  ["chatgpt", ["agents"]],
  ["claude", ["agents"]],
  ["release", ["changelog"]],
  ["new", ["changelog"]],
]);
