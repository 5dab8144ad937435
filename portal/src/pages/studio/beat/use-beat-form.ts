import { useState } from "react";
import { type BeatValues, problemsOf } from "./beat-values.ts";
import { fieldError, fieldId } from "./field-errors.ts";

/** The state of a beat's form: its values, and what is wrong with which field. */
export function useBeatForm(initial: BeatValues) {
  const [values, setValues] = useState(initial);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const show = (problems: Readonly<Record<string, string>>) => {
    setProblems(problems);
    const [first] = Object.keys(problems);
    if (first !== undefined) document.getElementById(fieldId(first))?.focus();
  };
  return {
    values,
    problems,
    /** Changes fields; what was wrong with them may be no more. */
    change: (values: Partial<BeatValues>) => {
      setValues((before) => ({ ...before, ...values }));
      setProblems({});
    },
    reset: (to: BeatValues) => {
      setValues(to);
      setProblems({});
    },
    /** Whether the form can be sent; otherwise says next to its fields why not, and leads to the first of them. */
    isValid: (): boolean => {
      const problems = problemsOf(values);
      show(problems);
      return Object.keys(problems).length === 0;
    },
    /** Shows a refusal next to the field that it names, if it names one. */
    refuse: (error: unknown) => {
      const named = fieldError(error);
      if (named !== null) show({ [named.field]: named.message });
    },
  };
}
