<?php

// Prints the sales of a day (UTC) by beat and currency: `php sales_report.php`, nightly by cron. The day is yesterday, or that of
// --day=2026-11-21. The same day gives the same report, so it may run again. Exits with 1 if the sales cannot be read.

declare(strict_types=1);

use BeatMarket\Client;
use BeatMarket\Exception\BeatMarketException;

require 'vendor/autoload.php';

$utc = new DateTimeZone('UTC');
$given = getopt('', ['day:'])['day'] ?? null;
$day = $given === null ? new DateTimeImmutable('yesterday', $utc) : DateTimeImmutable::createFromFormat('!Y-m-d', $given, $utc);
if ($day === false) {
    fwrite(STDERR, "--day takes a day such as 2026-11-21.\n");
    exit(2);
}
try {
    $lines = [];
    $totals = [];
    foreach ((new Client())->sales->list(from: $day, to: $day->modify('+1 day'), limit: 100) as $sale) {
        $name = "{$sale->beat->title} ({$sale->beat->id})";
        $cents = (int) round(($sale->amount - $sale->refundedAmount) * 100);
        $lines[$name][$sale->currency] ??= ['sales' => 0, 'cents' => 0];
        ++$lines[$name][$sale->currency]['sales'];
        $lines[$name][$sale->currency]['cents'] += $cents;
        $totals[$sale->currency] = ($totals[$sale->currency] ?? 0) + $cents;
    }
} catch (BeatMarketException $error) {
    fwrite(STDERR, "No report of {$day->format('Y-m-d')}: {$error->getMessage()}\n");
    exit(1);
}
echo "Sales of {$day->format('Y-m-d')}\n";
ksort($lines);
foreach ($lines as $name => $currencies) {
    foreach ($currencies as $currency => ['sales' => $sales, 'cents' => $cents]) {
        printf("%4d  %10.2f %s  %s\n", $sales, $cents / 100, $currency, $name);
    }
}
foreach ($totals as $currency => $cents) {
    printf("total %10.2f %s\n", $cents / 100, $currency);
}
echo $totals === [] ? "none\n" : '';
