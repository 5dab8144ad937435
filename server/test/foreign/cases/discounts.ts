import { compareWithBruteForce } from "../../discounts/brute-force.ts";
import type { Case } from "../case.ts";

const baskets = 100_000;

export const discountsCase: Case = {
  name: "discounts",
  about: "a brute force in Python, from the rules of docs/discounts.md, over 100,000 random baskets",
  run: async (_bench, report) => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const { baskets: compared, discounted, differences } = await compareWithBruteForce(baskets, seed);
    report.check(`all baskets of seed ${seed} are compared`, compared === baskets, compared);
    report.check("a discount applies to many baskets", discounted > baskets / 4, discounted);
    report.check(
      "both implementations agree to the cent",
      differences.length === 0,
      differences.join("\n") || "no difference",
    );
  },
};
