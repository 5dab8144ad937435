import { systemClock } from "@beatmarket/foundation/clock.ts";
import { connect } from "@beatmarket/postgres/connection/connect.ts";
import pino from "pino";
import { BucketWriter } from "../src/buckets/bucket-writer.ts";
import { DeliveryWorker } from "../src/delivery/worker.ts";
import { Sender } from "../src/sender.ts";
import { rules, secrets } from "./fixture.ts";

// A delivery worker that kills itself at a step of its first delivery ("claimed", "answered", "recorded"). Without a
// step, the test kills the worker. Arguments: DATABASE_URL, the step.
const [url = "", step] = process.argv.slice(2);
const die = (): void => {
  process.kill(process.pid, "SIGKILL");
};
const database = connect({ url }, { applicationName: "webhook-worker" });
const sender = new Sender({ userAgent: rules.userAgent, allowPrivate: true, clock: systemClock });
const dyingSender: Pick<Sender, "send"> = {
  send: async (delivery) => {
    if (step === "claimed") die();
    const outcome = await sender.send(delivery);
    if (step === "answered") die();
    return outcome;
  },
};
const worker = new DeliveryWorker({
  database,
  clock: systemClock,
  log: pino({ level: "silent" }),
  sender: dyingSender,
  buckets: new BucketWriter({ sender: dyingSender, allowPrivate: true }),
  rules,
  secrets,
  scope: "all",
  onAttempt: () => {
    if (step === "recorded") die();
  },
});
await worker.start();
process.stdout.write("ready\n");
