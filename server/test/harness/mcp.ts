import type { Response } from "light-my-request";
import type { TestApi } from "./api.ts";

export const modern = "2026-07-28";
export const former = "2025-11-25";

export interface ToolResult {
  isError?: boolean;
  resultType?: string;
  content?: { type: string; text: string }[];
  inputRequests?: { confirm: { method: string; params: { message: string } } };
  requestState?: string;
}

export interface AgentOptions {
  key?: string;
  /** The revision of the protocol. */
  revision?: typeof modern | typeof former;
  headers?: Record<string, string>;
}

/** An agent that calls /mcp of a test's API. */
export function agentOf(api: TestApi, { key = api.key, revision = modern, headers = {} }: AgentOptions = {}) {
  let id = 0;
  const send = (method: string, params: Record<string, unknown> = {}, name?: string): Promise<Response> =>
    api.request({
      method: "POST",
      url: "/mcp",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": revision,
        ...(revision === modern && { "mcp-method": method, ...(name !== undefined && { "mcp-name": name }) }),
        ...headers,
      },
      payload: JSON.stringify({
        jsonrpc: "2.0",
        id: ++id,
        method,
        params: {
          ...params,
          ...(revision === modern && {
            _meta: {
              "io.modelcontextprotocol/protocolVersion": modern,
              "io.modelcontextprotocol/clientInfo": { name: "agent of the tests", version: "1" },
              "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
            },
          }),
        },
      }),
    });
  const resultOf = ({ body }: Response) => {
    // The former revision responds with an event stream of one message.
    const json = /^data: (.*)$/m.exec(body)?.[1] ?? body;
    return (JSON.parse(json) as { result: ToolResult }).result;
  };
  return {
    send,
    resultOf,
    call: async (name: string, args: object, additionalFields: object = {}): Promise<ToolResult> =>
      resultOf(await send("tools/call", { name, arguments: args, ...additionalFields }, name)),
    /** The JSON of a result, or the message of an error. */
    ask: async (name: string, args: object): Promise<Record<string, unknown> | string> => {
      const { content, isError } = resultOf(await send("tools/call", { name, arguments: args }, name));
      const text = content?.[0]?.text ?? "";
      return isError === true ? text : (JSON.parse(text) as Record<string, unknown>);
    },
  };
}
