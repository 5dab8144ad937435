import { connectForTest } from "../harness/database/driver.ts";
import { runOrderWork } from "./order-work.ts";

// A process that places an order or settles open orders. It is killed directly after one of its statements has taken
// effect. Arguments: the number of that statement, counted from 1, and the purchase or "reconcile", as JSON. Ends with
// status 0 when the work is complete.
const [killAfter, work = ""] = process.argv.slice(2);
const database = connectForTest({ url: process.env.DATABASE_URL ?? "" });
let statements = 0;
const db = database.withStatementLog(() => {
  if (++statements === Number(killAfter)) process.kill(process.pid, "SIGKILL");
});
await runOrderWork(db, JSON.parse(work));
await database.close();
