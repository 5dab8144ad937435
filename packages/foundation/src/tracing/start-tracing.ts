import type { Logger } from "pino";
import { withTimeout } from "../with-timeout.ts";
import { useTracer } from "./tracing.ts";
import type { TracingSettings } from "./tracing-settings.ts";

const closeTimeoutMs = 2_000;

/**
 * Switches tracing on if there are settings. Returns a function that sends the remaining spans and switches tracing
 * off. Loads OpenTelemetry only if there are settings, since most servers do not trace.
 */
export async function startTracing(
  settings: TracingSettings | null,
  log: Pick<Logger, "warn">,
): Promise<() => Promise<void>> {
  if (settings === null) return async () => {};
  const { openTracer } = await import("./open-telemetry.ts");
  const tracer = openTracer(settings, log);
  useTracer(tracer);
  return async () => {
    useTracer(null);
    // An unreachable collector loses spans, but must not prevent the stop.
    await withTimeout(tracer.close(), closeTimeoutMs, () => new Error("The collector did not respond.")).catch(
      (error) => log.warn({ err: error }, "the last traces could not be sent"),
    );
  };
}
