import { spawnSync } from "node:child_process";
import { installFromDebian } from "./debian.mjs";

/** For each client what shows that its language is there with all that its tests need, and Debian's packages of it. */
const languages = [
  {
    client: "python",
    name: "Python 3.10",
    check: ["python3", "-c", "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))"],
    packages: ["python3", "python3-venv"],
  },
  {
    client: "php",
    name: "PHP 8.1",
    check: [
      "php",
      "-r",
      'exit((int) !(PHP_VERSION_ID >= 80100 && !array_diff(["curl", "dom", "mbstring", "pcntl"], get_loaded_extensions())));',
    ],
    packages: ["php-cli", "php-curl", "php-mbstring", "php-xml"],
  },
  { client: "php", name: "PHPUnit 9", check: ["phpunit", "--version"], packages: ["phpunit"] },
  {
    client: "ruby",
    name: "Ruby 3.1",
    check: ["ruby", "-e", 'require "minitest"; require "webmock"; exit RUBY_VERSION.to_f >= 3.1'],
    packages: ["ruby", "ruby-minitest", "ruby-webmock"],
  },
];

/**
 * Sees to the languages of the client libraries: from Debian, when missing and possible. Otherwise says what is missing.
 * @returns {Set<string>} the clients whose tests cannot run here
 */
export function ensureLanguages() {
  const missing = new Set();
  for (const { client, name, check, packages } of languages) {
    if (works(check) || installFromDebian(packages)) continue;
    missing.add(client);
    console.log(`${name} or newer is missing, so its client is not tested: install ${packages.join(", ")}.`);
  }
  return missing;
}

/** @param {string[]} command */
function works([program, ...args]) {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}
