import "@fontsource-variable/geist";
import "@fontsource-variable/geist-mono";
import "virtual:design-tokens.css";
import "../tokens.css";
import "./style/base.css";
import "./style/code.css";
import "./style/wall.css";
import "./style/sections.css";
import "./style/beat.css";
import "./style/narrow.css";
import { copyPrograms, runCalls } from "./calls.ts";
import { watchConnection } from "./connection.ts";
import "./pages.ts";
import { playBeats } from "./player.ts";
import { searchWhileTyping } from "./search.ts";
import { fillTimeZones, showSession } from "./session.ts";

// The scripts of the public pages. server/src/site renders their HTML. Each script looks up its elements again after a
// search and on each page.

playBeats();
searchWhileTyping();
runCalls();
copyPrograms();
for (const fill of [showSession, fillTimeZones]) {
  void fill();
  document.addEventListener("page-shown", () => void fill());
}
watchConnection();
