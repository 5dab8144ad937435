import { hash } from "node:crypto";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import { readValues } from "@beatmarket/http/input/validate.ts";
import {
  acceptedContent,
  type CallToolResult,
  createMcpHandler,
  createRequestStateCodec,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { Confirmation, type Desk, Refusal, type Tool } from "./tool.ts";

/** A message of an authenticated client. */
interface McpMessage {
  request: Request;
  /** The parsed JSON. */
  body: unknown;
  desk: Pick<Desk, "caller" | "nowMs" | "request">;
}

/** A server as clients and models see it. */
export interface ServerDescription {
  /** The name for programs. */
  name: string;
  /** The name for people. */
  title: string;
  version: string;
  /** How the tools work together. A model reads it before the tools. */
  instructions: string;
  /** The checkbox of a question, with which a person agrees. */
  confirmation: { title: string; description: string };
}

const confirmationSeconds = 600;

/**
 * Creates a handler of messages of the Model Context Protocol, revisions 2026-07-28 and 2025-11-25. There are no
 * sessions: each message gets a new server. `secret` signs the state of a question, which a client returns with the
 * answer.
 */
export function mcpHandler(tools: readonly Tool[], description: ServerDescription, secret: () => string) {
  const { name, title, version, instructions, confirmation } = description;
  const confirmSchema = {
    type: "object" as const,
    properties: { confirm: { type: "boolean" as const, ...confirmation } },
    required: ["confirm"],
  };
  return ({ request, body, desk }: McpMessage): Promise<Response> => {
    const states = createRequestStateCodec<string>({
      key: hash("sha256", `state of an agent's call\n${secret()}`),
      ttlSeconds: confirmationSeconds,
      bind: () => String(desk.caller.keyId),
    });
    const handler = createMcpHandler(({ era }) => {
      const server = new Server(
        { name, title, version },
        {
          capabilities: { tools: {} },
          instructions,
          inputRequired: { legacyShim: false },
          requestState: { verify: (state, context) => states.verify(state, context) },
        },
      );
      server.setRequestHandler("tools/list", () => ({ tools: tools.map(describe) }));
      server.setRequestHandler("tools/call", async ({ params }, context) => {
        const tool = tools.find((each) => each.name === params.name);
        if (tool === undefined) throw unknownTool(params.name);
        const result = await answer(tool, params.arguments ?? {}, {
          ...desk,
          canAsk: era === "modern",
          confirmation: (subject) => confirmationOf(subject, context),
        });
        if (!(result instanceof Confirmation)) return result;
        return inputRequired({
          inputRequests: {
            confirm: inputRequired.elicit({ message: result.question, requestedSchema: confirmSchema }),
          },
          requestState: await states.mint(result.subject, context),
        });
      });
      return server;
    });
    return handler.fetch(request, { parsedBody: body });
  };
}

/** The error for an unknown tool. Both revisions require a protocol error instead of a result. */
const unknownTool = (name: string) =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool ${JSON.stringify(name)}. tools/list names all tools.`,
  );

const describe = ({ name, description, input, isReadOnly }: Tool) => ({
  name,
  description,
  inputSchema: inputSchemaOf(input),
  annotations: isReadOnly
    ? { readOnlyHint: true }
    : { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
});

/** The schema for clients. A field with a default is optional for them, although a tool always gets it. */
function inputSchemaOf(input: Tool["input"]): { type: "object" } {
  const properties: Record<string, { default?: unknown }> = input.properties;
  const required = input.required?.filter((field) => properties[field]?.default === undefined) ?? [];
  return JSON.parse(JSON.stringify({ ...input, required }));
}

/** Calls a tool. Returns a refusal as a result, which the model reads, and throws any other error. */
async function answer(tool: Tool, toolInput: object, desk: Desk): Promise<CallToolResult | Confirmation> {
  try {
    const input = readValues("field", tool.input, Object.entries(toolInput));
    const value = await tool.call(input, desk);
    return value instanceof Confirmation ? value : { content: [{ type: "text", text: JSON.stringify(value) }] };
  } catch (error) {
    if (error instanceof Refusal) return refusalOf(error.message);
    if (error instanceof ApiError) return refusalOf(error.details);
    throw error;
  }
}

const refusalOf = (sentence: string): CallToolResult => ({
  content: [{ type: "text", text: sentence }],
  isError: true,
});

/** The person's answer to a question. An answer without the signed state of the question does not count. */
function confirmationOf(subject: string, { mcpReq }: ServerContext): ReturnType<Desk["confirmation"]> {
  if (mcpReq.requestState<string>() !== subject || mcpReq.inputResponses?.confirm === undefined) return "unasked";
  const confirmed = acceptedContent<{ confirm?: unknown }>(mcpReq.inputResponses, "confirm");
  return confirmed?.confirm === true ? "accepted" : "declined";
}
