import Type from "typebox";
import { clipped } from "../answer.ts";
import { dataOf, type Tool } from "../tool.ts";

const maxTextLength = 200;
const fields = ["id", "status", "type", "beat", "producer", "purchased_at", "issued_at", "refunded_at", "url"];

export const checkLicense: Tool = {
  name: "check_license",
  description: "Whether a license certificate is genuine and still valid, by the id on it.",
  isReadOnly: true,
  input: Type.Object({ license_id: Type.String({ minLength: 1, maxLength: 100, pattern: "^[\\w-]+$" }) }),
  call: async ({ license_id }, { request }) => {
    const { license } = dataOf(await request({ method: "GET", url: `/licenses/${license_id}` })) as {
      license: Record<string, unknown>;
    };
    return Object.fromEntries(
      Object.entries(license)
        .filter(([name]) => fields.includes(name))
        .map(([name, value]) => [name, typeof value === "string" ? clipped(value, maxTextLength) : value]),
    );
  },
};
