import type { Database } from "../../database/connection/connect.ts";
import { correctableWords } from "../../search-words.ts";
import { renameProducerOfBeats } from "../beats/producer-name.ts";
import type { ProducerNames } from "../users/profile.ts";
import { insertSearchWords } from "./words/write-words.ts";

/** Updates search when a producer gets a name. */
export const producerNames = ({ driver }: Database): ProducerNames => ({
  remember: (name) => insertSearchWords(driver, correctableWords(name)),
  rename: renameProducerOfBeats,
});
