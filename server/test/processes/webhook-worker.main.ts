import { systemClock } from "@beatmarket/foundation/clock.ts";
import pino from "pino";
import { connect } from "../../src/database/connect.ts";
import { openSecretBox } from "../../src/resources/secrets/secret-box.ts";
import { BucketWriter } from "../../src/resources/webhooks/buckets/bucket-writer.ts";
import { DeliveryWorker } from "../../src/resources/webhooks/delivery/worker.ts";
import { Sender } from "../../src/resources/webhooks/sender.ts";

// A delivery worker that is killed. It kills itself at a step of its first delivery ("claimed", "answered", "recorded");
// without a step the test kills it. Arguments: DATABASE_URL, the key of the secrets, the step.
const [url = "", secretKey = "", step] = process.argv.slice(2);
const die = (): void => {
  process.kill(process.pid, "SIGKILL");
};
const database = connect({ url }, { applicationName: "webhook-worker" });
const sender = new Sender({ allowPrivate: true, clock: systemClock });
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
  secrets: await openSecretBox({ dataDir: "", secretKey }),
  scope: "all",
  onAttempt: () => {
    if (step === "recorded") die();
  },
});
await worker.start();
process.stdout.write("ready\n");
