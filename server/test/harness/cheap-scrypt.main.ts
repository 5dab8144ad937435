import { makeScryptCheap } from "./cheap-scrypt.ts";

// Loaded before a server under test (`--import`), because its tests register many accounts.
makeScryptCheap();
