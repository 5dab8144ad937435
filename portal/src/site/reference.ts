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
  adaptToPortalFrame,
  followFormerAddress,
  markVisibleOperation,
  openSearchOnDemand,
  rememberLanguage,
} from "./reference-page.ts";

// The scripts of the reference's pages. server/src/reference renders their HTML.

adaptToPortalFrame();
followFormerAddress();
rememberLanguage();
copyPrograms();
markVisibleOperation();
openSearchOnDemand();
watchConnection();
