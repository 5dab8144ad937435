<?php

declare(strict_types=1);

namespace BeatMarket\Test\Package;

use BeatMarket\Test\LiveCase;
use BeatMarket\Test\Program;

/** Runs the programs of examples/ against the service; ReceiverTest runs the receiver. */
final class ExamplesTest extends LiveCase
{
    public function testThreeBeatsMixWithOne(): void
    {
        $beat = self::client()->beats->list(maxItems: 1)->data[0];
        [$status, $output, $errors] = self::example('mixing', (string) $beat->id);
        self::assertSame([0, ''], [$status, $errors]);
        $lines = explode("\n", trim($output));
        self::assertSame("playing: {$beat->id} {$beat->bpm} bpm {$beat->key}", $lines[0]);
        self::assertLessThanOrEqual(4, count($lines));
        self::assertSame([2, 1], [self::example('mixing')[0], self::example('mixing', '999999999')[0]]);
    }

    public function testASecondReportOfADayIsTheSameAndHasEachSale(): void
    {
        [$status, $output, $errors] = self::example('sales_report', '--day=2020-01-01');
        self::assertSame([0, "Sales of 2020-01-01\nnone\n", ''], [$status, $output, $errors]);
        $today = gmdate('Y-m-d');
        $all = self::client()->sales->list(from: $today);
        [$status, $output] = self::example('sales_report', "--day={$today}");
        self::assertSame([0, self::example('sales_report', "--day={$today}")[1]], [$status, $output]);
        preg_match_all('/^ +(\d+)  .* \(\d+\)$/m', $output, $match);
        self::assertSame($all->total, array_sum(array_map(intval(...), $match[1])));
        self::assertSame(2, self::example('sales_report', '--day=today')[0]);
        [$status, , $errors] = Program::run('', ['BEATMARKET_API_KEY' => 'bm_wrong'] + self::environment(), ['examples/sales_report.php']);
        self::assertSame(1, $status);
        self::assertStringContainsString('No report of ', $errors);
    }

    public function testAMirrorHasAllBeats(): void
    {
        [$status, $output, $errors] = self::example('mirror', '--once', 'beats.db');
        self::assertSame([0, ''], [$status, $errors]);
        self::assertSame(self::client()->beats->list(limit: 1)->total . " beats\n", $output);
    }

    /** @return array{int, string, string} */
    private static function example(string $name, string ...$arguments): array
    {
        return Program::run('', self::environment(), ["examples/{$name}.php", ...$arguments]);
    }

    /** @return array<string, string> */
    private static function environment(): array
    {
        return [
            'BEATMARKET_API_KEY' => self::setting('API_KEY'),
            'BEATMARKET_BASE_URL' => self::setting('BASE_URL'),
            'BEATMARKET_CA_FILE' => self::setting('CA_FILE'),
        ];
    }
}
