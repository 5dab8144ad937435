import { drill } from "@beatmarket/webhook-testing/drill/drill.ts";
import { bugs, sampleReceiver, secret, sign } from "@beatmarket/webhook-testing/testing/sample-receiver.ts";
import type { Fault } from "../fault.ts";

const maxSeconds = 30;

export const drilledReceiver: Fault = {
  name: "drill",
  about: "the drill of a receiver with seven planted bugs finds all, with the waits that users have",
  run: async (stage, report) => {
    const { url, close } = await sampleReceiver({ planted: bugs });
    stage.onClose(async () => close());
    const beganMs = performance.now();
    const { findings } = await drill({ url, secret, sign });
    const seconds = (performance.now() - beganMs) / 1_000;
    const wrongNames = findings.filter(({ verdict }) => verdict === "wrong").map(({ name }) => name);
    report.check(
      "planted bugs that are found",
      bugs.every((bug) => wrongNames.includes(bug)),
      `${wrongNames.length} of ${bugs.length}`,
    );
    report.bound("time of a drill", seconds, maxSeconds, "s");
  },
};
