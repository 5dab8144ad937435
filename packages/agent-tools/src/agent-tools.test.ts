import { jsonResponse } from "@beatmarket/http/http-response.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import { openRoutes } from "@beatmarket/http/testing/routes.ts";
import Type from "typebox";
import { describe, expect, test } from "vitest";
import { mcpRoute } from "./mcp-route.ts";
import { Confirmation, dataOf, fitted, Refusal, type Tool } from "./tool.ts";

const revision = "2026-07-28";
const publicUrl = "https://library.example";
let lent: string[] = [];

const findBooks: Tool = {
  name: "find_books",
  description: "Find books.",
  isReadOnly: true,
  input: Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 50, default: 5 }) }),
  call: async ({ limit }, { request }) => {
    const { books } = dataOf(await request({ method: "GET", url: "/books" })) as { books: object[] };
    return fitted("books", books.slice(0, Number(limit)));
  },
};

const closedShelf: Tool = {
  name: "closed_shelf",
  description: "Read the closed shelf.",
  isReadOnly: true,
  input: Type.Object({}),
  call: async (_, { request }) => dataOf(await request({ method: "GET", url: "/closed" })),
};

const lend: Tool = {
  name: "lend",
  description: "Lend a book.",
  isReadOnly: false,
  input: Type.Object({ book: Type.String({ maxLength: 40 }) }),
  call: async ({ book }, { confirmation, canAsk }) => {
    if (!canAsk) throw new Refusal("This client cannot ask a person.");
    const answer = confirmation(String(book));
    if (answer === "unasked") return new Confirmation(String(book), `Lend ${book}?`);
    if (answer === "declined") throw new Refusal("The person declined.");
    lent.push(String(book));
    return { lent: book };
  },
};

const books = Array.from({ length: 50 }, (_, id) => ({ id, title: "A long title of a book ".repeat(4) }));
const api = openRoutes(
  [
    mcpRoute({
      path: "/agents",
      publicUrl,
      description: {
        name: "library",
        title: "Library",
        version: "1.2.3",
        instructions: "Find a book, and lend it after the person agrees.",
        confirmation: { title: "Lend it", description: "The book is sent." },
      },
      tools: () => [findBooks, closedShelf, lend],
      secret: () => "a secret",
    }),
    openRoute("/books", () => jsonResponse(JSON.stringify({ data: { books } }))),
    openRoute("/closed", () => jsonResponse(JSON.stringify({ error: { details: "The shelf is closed." } }), 403)),
  ],
  {
    authenticate: (context) => {
      context.caller = { keyId: 7, userId: 1 } as NonNullable<typeof context.caller>;
    },
    limit: () => {},
    authorize: () => {},
  },
);

async function post(payload: string, headers: Record<string, string> = {}) {
  return api.inject({
    method: "POST",
    url: "/agents",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    payload,
  });
}

interface Result {
  isError?: boolean;
  content?: { text: string }[];
  tools?: { name: string; annotations: object; inputSchema: { required: string[] } }[];
  requestState?: string;
  inputRequests?: { confirm: { params: { message: string; requestedSchema: { properties: object } } } };
}

async function send(
  method: string,
  params: { name?: string } & Record<string, unknown> = {},
  protocol = revision,
): Promise<Result> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": protocol,
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
  };
  const isModern = protocol === revision;
  const response = await post(
    JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, ...(isModern && { _meta }) } }),
    {
      "mcp-protocol-version": protocol,
      ...(isModern && { "mcp-method": method, ...(params.name !== undefined && { "mcp-name": params.name }) }),
    },
  );
  const text = response.body.startsWith("event:") ? /^data: (.*)$/m.exec(response.body)?.[1] : response.body;
  return JSON.parse(text ?? "").result;
}

const call = (name: string, args: object, answer: object = {}, protocol = revision) =>
  send("tools/call", { name, arguments: args, ...answer }, protocol);

const textOf = ({ content }: Result) => content?.[0]?.text ?? "";

test("the tools are listed, and those that only read are marked", async () => {
  const { tools } = await send("tools/list");
  expect(tools?.map(({ name, annotations }) => [name, annotations])).toEqual([
    ["find_books", { readOnlyHint: true }],
    ["closed_shelf", { readOnlyHint: true }],
    ["lend", { readOnlyHint: false, destructiveHint: true, idempotentHint: true }],
  ]);
});

test("a listed tool does not require a field that has a default", async () => {
  const { tools } = await send("tools/list");
  const requiredOf = (tool: string) => tools?.find(({ name }) => name === tool)?.inputSchema.required;
  expect(requiredOf("find_books")).toEqual([]);
  expect(requiredOf("lend")).toEqual(["book"]);
});

describe("an answer", () => {
  test("has at most 2 kB, and the number of items that it leaves out", async () => {
    const text = textOf(await call("find_books", { limit: 50 }));
    const answer = JSON.parse(text);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_000);
    expect(answer.books.length).toBeGreaterThan(10);
    expect(answer.books.length + answer.left_out).toBe(50);
  });

  test("to a call that the API or the tool's schema refuses is a sentence with the reason", async () => {
    const refused = await call("closed_shelf", {});
    expect(refused).toMatchObject({ isError: true, content: [{ text: "The shelf is closed." }] });
    const invalid = await call("find_books", { shelf: 3 });
    expect(invalid.isError).toBe(true);
    expect(textOf(invalid)).toContain("shelf");
  });
});

describe("a tool that asks a person", () => {
  const question = () => call("lend", { book: "Emma" });
  const accepted = { confirm: { action: "accept", content: { confirm: true } } };

  test("acts after the person agreed, with the state of this question", async () => {
    lent = [];
    const asked = await question();
    expect(asked.inputRequests?.confirm.params).toMatchObject({
      message: "Lend Emma?",
      requestedSchema: { properties: { confirm: { title: "Lend it", description: "The book is sent." } } },
    });
    expect(lent).toEqual([]);
    const answer = { inputResponses: accepted, requestState: asked.requestState };
    expect(JSON.parse(textOf(await call("lend", { book: "Emma" }, answer)))).toEqual({ lent: "Emma" });
    expect(lent).toEqual(["Emma"]);
  });

  test("asks again if the state belongs to another question, and does not act if the person declines", async () => {
    lent = [];
    const { requestState } = await question();
    expect(
      (await call("lend", { book: "Persuasion" }, { inputResponses: accepted, requestState })).inputRequests,
    ).toBeDefined();
    const declined = { confirm: { action: "decline" } };
    expect(await call("lend", { book: "Emma" }, { inputResponses: declined, requestState })).toMatchObject({
      isError: true,
    });
    expect(lent).toEqual([]);
  });

  test("learns that a client of the former revision cannot ask", async () => {
    const refused = await call("lend", { book: "Emma" }, {}, "2025-11-25");
    expect(textOf(refused)).toBe("This client cannot ask a person.");
  });
});

describe("a message", () => {
  test("from a page of another origin is 403", async () => {
    expect((await post("{}", { origin: "https://evil.example" })).statusCode).toBe(403);
  });

  test("that is not JSON is 400, and a message of more than 64 kB is 413", async () => {
    expect((await post("{")).statusCode).toBe(400);
    expect((await post(JSON.stringify("a".repeat(65_536)))).statusCode).toBe(413);
  });
});
