import type { Database } from "../../database/connection/connect.ts";
import { correctableWords } from "../../text/search-words.ts";
import { renameProducerOfBeats } from "../beats/producer-name.ts";
import type { ProducerNames } from "../users/profile.ts";
import { insertSearchWords } from "./words/write-words.ts";

/** Keeps search true to the names of producers. */
export const producerNames = ({ query }: Database): ProducerNames => ({
  remember: (name) => insertSearchWords(query, correctableWords(name)),
  rename: renameProducerOfBeats,
});
