import { makeScryptCheap } from "./cheap-scrypt.ts";

// Loaded before a server under test (`--import`), whose tests register many accounts.
makeScryptCheap();
