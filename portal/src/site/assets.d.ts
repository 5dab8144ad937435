declare module "virtual:design-tokens.css";
