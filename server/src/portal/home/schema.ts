import Type from "typebox";

const closed = { additionalProperties: false };
const time = (description: string) => Type.String({ format: "date-time", description });

const ErrorGroup = Type.Object(
  {
    status: Type.Integer(),
    refused_by: Type.String({ description: "The kind of the refusal; empty where none is known." }),
    operation: Type.String({ description: '"none" stands for paths that are none of ours.' }),
    calls: Type.Integer({ description: "Of the last day." }),
    first_seen_at: time("To the day (UTC) where it happened on a day before the last 24 hours, too."),
    last_seen_at: time("Of the latest call."),
    new: Type.Boolean({ description: "It did not happen in the 30 days before." }),
    reason: Type.String({ description: "Why, in words." }),
    advice: Type.String({ description: "What to do about it." }),
    latest: Type.Object(
      {
        id: Type.Integer({ description: "Identifier of the log entry." }),
        method: Type.String(),
        path: Type.String({ description: "As called." }),
      },
      { ...closed, description: "The newest of these calls." },
    ),
  },
  { $id: "ErrorGroup", ...closed },
);

export const HomeResponse = Type.Object(
  {
    from: time("24 hours ago."),
    to: time("Now."),
    errors: Type.Array(ErrorGroup, {
      description: "The calls of the last day that were refused or failed, by reason and operation, last seen first.",
    }),
    errors_complete: Type.Boolean({ description: "All of the day's failed calls were counted." }),
    latest_success: Type.Union(
      [
        Type.Object(
          {
            id: Type.Integer({ description: "Identifier of the log entry." }),
            time: time("When it began."),
            method: Type.String(),
            path: Type.String(),
            status: Type.Integer(),
            duration_ms: Type.Number(),
          },
          closed,
        ),
        Type.Null(),
      ],
      { description: "The account's newest call that worked (2xx); null while there is none." },
    ),
  },
  { $id: "Home", ...closed },
);
