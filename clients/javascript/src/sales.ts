import type { List } from "./list.ts";
import type { ListSalesQuery, Sale } from "./models.ts";
import { list } from "./resources.ts";
import type { ResponseInfo } from "./response.ts";
import type { CallOptions, Download, Sender } from "./sender.ts";
import { TargetFile } from "./target-file.ts";

/** A downloaded month of sales. */
export interface SalesExport {
  path: string;
  response: ResponseInfo;
}

/** What the key's account sold. */
export class Sales {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Lists sales, newest first: `await` returns one page, `for await` iterates over all. */
  list(query: ListSalesQuery = {}, options: CallOptions = {}): List<Sale> {
    return list(this.#sender, "/users/me/sales", "sales", query, options);
  }

  /** Downloads the sales of a month (UTC), such as `2026-11`, into a file, as CSV. On Node, Deno and Bun. */
  async export(month: string, path: string, options: CallOptions = {}): Promise<SalesExport> {
    const file = await TargetFile.open(path);
    // It is made while it is sent: a try that breaks is begun anew.
    const download: Download = {
      headers: () => ({ accept: "text/csv" }),
      receive: ({ status }) => (status === 200 ? file.writeFrom(0) : undefined),
      hasAdvanced: () => false,
    };
    try {
      const url = this.#sender.url("/users/me/sales.csv", { month });
      const { response } = await this.#sender.send({ method: "GET", url, download, options });
      return { path, response };
    } finally {
      await file.close();
    }
  }
}
