import "@fontsource-variable/geist";
import "@fontsource-variable/geist-mono";
import "virtual:design-tokens.css";
import "../tokens.css";
import "./style/base.css";
import "./style/code.css";
import "./style/reference.css";
import { copyPrograms } from "./calls.ts";
import { watchConnection } from "./connection.ts";
import {
  followFormerAddress,
  followPlace,
  openSearchOnDemand,
  rememberLanguage,
  standInFrame,
} from "./reference-page.ts";

// What the pages of the reference do beyond their HTML (server/src/reference).

standInFrame();
followFormerAddress();
rememberLanguage();
copyPrograms();
followPlace();
openSearchOnDemand();
watchConnection();
