import { connectForTest } from "../harness/database/driver.ts";
import { runCheckoutWork } from "./checkout-work.ts";

// A process that buys by a checkout. It is killed directly after one of its statements has taken effect. Arguments: the
// number of that statement, counted from 1, the purchase as JSON, and the file that replaces the mail server. Ends with
// status 0 when the work is complete.
const [killAfter, work = "", mailFile = ""] = process.argv.slice(2);
const database = connectForTest({ url: process.env.DATABASE_URL ?? "" });
let statements = 0;
const db = database.withStatementLog(() => {
  if (++statements === Number(killAfter)) process.kill(process.pid, "SIGKILL");
});
await runCheckoutWork(db, JSON.parse(work), mailFile);
await database.close();
