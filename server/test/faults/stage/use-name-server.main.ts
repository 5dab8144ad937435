import { Resolver } from "node:dns/promises";

// Loaded into a program before its own code: its resolvers then ask the test's name server instead of this machine's.
const redirected = new WeakSet<Resolver>();
for (const method of ["resolve4", "resolve6"] as const) {
  const resolve = Resolver.prototype[method];
  Resolver.prototype[method] = function (this: Resolver, ...args: Parameters<typeof resolve>) {
    if (!redirected.has(this)) this.setServers([process.env.FAULTS_NAME_SERVER ?? ""]);
    redirected.add(this);
    return resolve.apply(this, args);
  } as typeof resolve;
}
