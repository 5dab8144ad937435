import { spawnSync } from "node:child_process";
import { installFromDebian } from "./debian.mjs";

/** For each language what shows that it is there with all that its client's tests need, and Debian's packages of it. */
const languages = [
  {
    name: "Python",
    check: ["python3", "-c", "import ensurepip, venv"],
    packages: ["python3", "python3-venv"],
  },
  {
    name: "PHP",
    check: [
      "php",
      "-r",
      'exit((int) !(extension_loaded("curl") && extension_loaded("mbstring") && extension_loaded("dom")));',
    ],
    packages: ["php-cli", "php-curl", "php-mbstring", "php-xml"],
  },
  { name: "PHPUnit", check: ["phpunit", "--version"], packages: ["phpunit"] },
  {
    name: "Ruby",
    check: ["ruby", "-e", 'require "minitest"; require "webmock"'],
    packages: ["ruby", "ruby-minitest", "ruby-webmock"],
  },
];

/** Sees to the languages of the client libraries: from Debian, when missing and possible. Otherwise says what is missing. */
export function ensureLanguages() {
  for (const { name, check, packages } of languages)
    if (!works(check) && !installFromDebian(packages))
      console.log(`${name} is missing, so its client is not tested: install ${packages.join(", ")}.`);
}

/** @param {string[]} command */
function works([program, ...args]) {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}
