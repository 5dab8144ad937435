import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import type { RequestContext } from "../request-context.ts";
import { ResponseWriter } from "./response-writer.ts";

test("a file is closed if the client closes the connection before the first byte", async () => {
  const request = new IncomingMessage(new Socket());
  request.complete = true;
  const response = new ServerResponse(request);
  response.destroy();
  const file = Readable.from(["bytes"]);
  const context = { method: "GET", headers: {}, status: 0 } as unknown as RequestContext;
  new ResponseWriter().send(context, response, { status: 200, headers: {}, body: file });
  expect(file.destroyed).toBe(true);
});
