import type { ReadServer } from "../database/connect.ts";
import type { Account, SessionPermission } from "./account.ts";
import type { Caller } from "./caller.ts";
import type { Permission } from "./permissions.ts";

// Aliases, because within the module declaration `Caller` and `Account` are the types of the declared module.
type ShopCaller = Caller;
type ShopAccount = Account;
type ShopPermission = Permission;
type ShopSessionPermission = SessionPermission;
type ShopReadServer = ReadServer;

declare module "@beatmarket/http/application.ts" {
  interface Application {
    caller: ShopCaller;
    account: ShopAccount;
    permission: ShopPermission;
    sessionPermission: ShopSessionPermission;
    readServer: ShopReadServer;
  }
}
