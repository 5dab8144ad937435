import { useState } from "react";
import { type BeatValues, problemsOf } from "./beat-values.ts";
import { fieldError, fieldId } from "./field-errors.ts";

/** The state of a beat's form: the values, and the errors by field. */
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
    /** Changes fields and clears the errors, which may be outdated. */
    change: (values: Partial<BeatValues>) => {
      setValues((before) => ({ ...before, ...values }));
      setProblems({});
    },
    reset: (to: BeatValues) => {
      setValues(to);
      setProblems({});
    },
    /** Whether the form can be sent. Otherwise shows the errors and focuses the first field with an error. */
    isValid: (): boolean => {
      const problems = problemsOf(values);
      show(problems);
      return Object.keys(problems).length === 0;
    },
    /** Shows an error from the API next to the field that it names, if any. */
    refuse: (error: unknown) => {
      const fieldProblem = fieldError(error);
      if (fieldProblem !== null) show({ [fieldProblem.field]: fieldProblem.message });
    },
  };
}
