// Reports a day's sales per beat and currency: go run . -out reports, by cron once a night. A day that is reported again gives
// the same file. The day is yesterday (UTC), or that of -day 2026-11-21. Without -out the report is printed.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"beatmarket.example/beatmarket"
)

func main() {
	yesterday := time.Now().UTC().AddDate(0, 0, -1).Format(time.DateOnly)
	text := flag.String("day", yesterday, "`day` to report")
	out := flag.String("out", "", "`folder` of the reports")
	flag.Parse()
	day, err := time.Parse(time.DateOnly, *text)
	if err != nil {
		fmt.Fprintf(os.Stderr, "The day is %q; it takes a date such as %s.\n", *text, yesterday)
		os.Exit(2)
	}
	if err := report(context.Background(), day, *out); err != nil {
		fmt.Fprintln(os.Stderr, "no report:", err)
		os.Exit(1)
	}
}

// row has the number of sales of a beat in one currency, and their sum.
type row struct {
	id              int
	title, currency string
	count, cents    int
}

func report(ctx context.Context, day time.Time, out string) error {
	client, err := beatmarket.New()
	if err != nil {
		return err
	}
	rows := map[string]row{}
	params := beatmarket.ListSalesParams{
		From:  beatmarket.At(day),
		To:    beatmarket.At(day.AddDate(0, 0, 1)),
		Limit: beatmarket.Some(100),
	}
	for sale, err := range client.Sales.ListAll(ctx, params) {
		if err != nil {
			return err
		}
		key := fmt.Sprint(sale.Beat.ID, sale.Currency)
		sold := rows[key]
		cents := int(math.Round((sale.Amount - sale.RefundedAmount) * 100)) // Sums of fractions drift.
		rows[key] = row{sale.Beat.ID, sale.Beat.Title, sale.Currency, sold.count + 1, sold.cents + cents}
	}
	text := textOf(day.Format(time.DateOnly), slices.Collect(maps.Values(rows)))
	if out == "" {
		_, err := fmt.Print(text)
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	file := filepath.Join(out, "sales-"+day.Format(time.DateOnly)+".txt")
	if err := os.WriteFile(file+".new", []byte(text), 0o644); err != nil {
		return err
	}
	fmt.Println(file)
	return os.Rename(file+".new", file) // The file is never incomplete.
}

func textOf(day string, rows []row) string {
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(b.cents, a.cents), cmp.Compare(a.id, b.id), cmp.Compare(a.currency, b.currency))
	})
	var text strings.Builder
	fmt.Fprintf(&text, "Sales of %s\n", day)
	for _, sold := range rows {
		fmt.Fprintf(&text, "%5d  %10.2f %s  %s (%d)\n", sold.count, float64(sold.cents)/100, sold.currency, sold.title, sold.id)
	}
	if len(rows) == 0 {
		text.WriteString("none\n")
	}
	return text.String()
}
