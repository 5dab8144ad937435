import { compareJudges } from "../../licenses/compare-judges.ts";
import type { Case } from "../case.ts";

const questions = 100_000;

export const judgesCase: Case = {
  name: "license-judges",
  about: "a program in Python, written only from docs/clauses.md, over 100,000 random questions to licenses",
  run: async (_bench, report) => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const { questions: compared, answers, differences } = await compareJudges(questions, seed);
    report.check(`all questions of seed ${seed} are compared`, compared === questions, compared);
    const fewest = Math.min(...Object.values(answers));
    report.check("each answer is given to many questions", fewest > questions / 10, fewest);
    report.check("both implementations agree", differences.length === 0, differences.join("\n") || "no difference");
  },
};
