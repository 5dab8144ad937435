import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@beatmarket/foundation/testing/free-port.ts";
import type { Case } from "../case.ts";
import { startReceiver } from "../receive.ts";
import { tools } from "../tools/versions.ts";

const receiver = join(import.meta.dirname, "../receivers/otlp/otlp_receiver.py");
/** Spans are sent every five seconds. */
const longestMs = 30_000;
const serverKind = 2;

interface Span {
  service: string;
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentId: string;
  failed: boolean;
  attributes: Record<string, string | number>;
}

export const tracesCase: Case = {
  name: "opentelemetry-proto",
  about: "a purchase in one trace, request, statement, payment, event and delivery, as a receiver of OTLP decodes it",
  run: async (bench, report) => {
    const tool = await bench.install(tools.opentelemetryProto);
    const port = await freePort();
    const python = join(tool, "bin/python3");
    const collector = await startReceiver(
      { command: [python, receiver, "$PORT"], cwd: await bench.folder() },
      { port, secret: "" },
    );
    const delivered: string[] = [];
    const endpoint = createServer((request, response) => {
      delivered.push(String(request.headers.traceparent));
      response.end();
    }).listen(0, "127.0.0.1");
    try {
      await once(endpoint, "listening");
      const market = await bench.marketWith({
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
        WEBHOOK_ALLOW_PRIVATE: "on",
      });
      const email = "traces@example.com";
      const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/hook?token=secret`;
      await market.command("webhooks", "create", "--email", email, "--url", url, "--events", "beat.purchased");
      const key = await market.key(email);
      const buy = async (flags: string) => {
        const traceId = randomBytes(16).toString("hex");
        const parentId = randomBytes(8).toString("hex");
        const body = { beat_id: 1, payment_method: "pm_card_visa" };
        await market.call(key, "/orders", body, { traceparent: `00-${traceId}-${parentId}-${flags}` });
        return { traceId, parentId };
      };
      const unsampled = await buy("00");
      const { traceId, parentId } = await buy("01");
      const spans = () => collector.lines().map((line) => JSON.parse(line) as Span);
      const spansOfTrace = () => spans().filter((span) => span.traceId === traceId);
      for (const deadlineMs = performance.now() + longestMs; performance.now() < deadlineMs; await sleep(200))
        if (spansOfTrace().some(({ name }) => name === "webhook delivery")) break;

      const trace = spansOfTrace();
      const traceText = trace.map(({ name }) => name).join(", ") || collector.output() || "no spans";
      const byId = new Map(trace.map((span) => [span.spanId, span]));
      const spanNamed = (name: string) => trace.find((span) => span.name === name);
      const request = spanNamed("POST /v1/orders");
      const payment = spanNamed("payment");
      const event = spanNamed("event beat.purchased");
      const delivery = spanNamed("webhook delivery");
      const statements = trace.filter(({ name }) => name.startsWith("postgresql "));
      report.check("the request continues the caller's trace", request?.parentId === parentId, traceText);
      report.check(
        "the request is a server's span with its status",
        isAnswered(request),
        JSON.stringify(request?.attributes),
      );
      report.check("the trace has the statements", statements.length >= 3, statements.length);
      report.check(
        "the trace has the payment",
        payment?.parentId === request?.spanId && payment !== undefined,
        traceText,
      );
      report.check(
        "statements of the payment are below the payment",
        statements.some((span) => span.parentId === payment?.spanId),
        traceText,
      );
      report.check(
        "the event is below the payment",
        event !== undefined && event.parentId === payment?.spanId,
        traceText,
      );
      report.check(
        "the delivery is below its event",
        event !== undefined && delivery?.parentId === event.spanId,
        traceText,
      );
      report.check(
        "the trace has the delivery, which succeeded",
        isDelivered(delivery),
        JSON.stringify(delivery?.attributes),
      );
      report.check(
        "every span has its parent in the trace, or is a child of the caller's",
        trace.every((span) => byId.has(span.parentId) || span.parentId === parentId),
        traceText,
      );
      const header = `00-${traceId}-${delivery?.spanId}-01`;
      report.check("the receiver gets the delivery's span", delivered.includes(header), delivered.join(", "));
      report.check(
        "a trace that the caller did not sample is passed on, but not sent",
        delivered.some((each) => each.startsWith(`00-${unsampled.traceId}-`) && each.endsWith("-00")) &&
          !spans().some((span) => span.traceId === unsampled.traceId),
        delivered.join(", "),
      );
      const text = collector.lines().join("\n");
      report.check(
        "no span holds the key, or more of the receiver's address than its host",
        !text.includes(key) && !text.includes("token=secret"),
        `${collector.lines().length} spans`,
      );
    } finally {
      endpoint.close();
      await collector.stop();
    }
  },
};

const isAnswered = (span: Span | undefined): boolean =>
  span?.kind === serverKind &&
  span.service === "beatmarket" &&
  [200, 201].includes(Number(span.attributes["http.response.status_code"])) &&
  span.attributes["beatmarket.operation"] === "createOrder";

/** Whether the span is that of a successful delivery of the event. */
const isDelivered = (span: Span | undefined): boolean =>
  span !== undefined &&
  !span.failed &&
  span.attributes["http.response.status_code"] === 200 &&
  span.attributes["beatmarket.event_type"] === "beat.purchased";
