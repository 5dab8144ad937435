<?php

declare(strict_types=1);

namespace BeatMarket\Test\Lists;

use BeatMarket\Client;
use BeatMarket\Exception\AuthenticationException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Response;
use BeatMarket\Test\ClientCase;
use BeatMarket\Test\Double\Replies;

/** Sales are listed page by page, and a month of them goes to a file. */
final class SalesTest extends ClientCase
{
    public function testSalesAreIteratedWithTheirFilters(): void
    {
        $data = self::example('operations', 'listSales')['reference']['data'];
        $sale = $data['sales'][0];
        $page = static fn (int $id, ?string $next): Response => self::success([
            'sales' => [['id' => $id] + $sale],
            'pagination' => ['next_page_url' => $next] + $data['pagination'],
        ]);
        $client = $this->client($page(9, self::BASE_URL . '/users/me/sales?page=2'), $page(4, null));
        $from = new \DateTimeImmutable('2026-11-01 02:00', new \DateTimeZone('+02:00'));
        $ids = [];
        foreach ($client->sales->list(limit: 1, from: $from, to: '2026-12-01', beat: 502) as $sale) {
            $ids[] = $sale->id;
        }
        self::assertSame([9, 4], $ids);
        $query = 'limit=1&from=2026-11-01T00%3A00%3A00.000Z&to=2026-12-01&beat=502';
        self::assertSame(["/users/me/sales?{$query}", '/users/me/sales?page=2'], $this->urls());
    }

    public function testTheExportOfAMonthStartsAgainAfterALostConnection(): void
    {
        $csv = "order_id,amount\r\n2,59.99\r\n";
        $api = (new Replies())->add(200, [], $csv, 9)->add(200, [], $csv);
        $path = (string) tempnam(sys_get_temp_dir(), 'sales');
        file_put_contents($path, "{$csv}a longer one of yesterday");
        $export = (new Client(apiKey: self::KEY, baseUrl: $api->url, sleep: static fn () => null))->sales->export('2026-11', $path);
        self::assertSame([$csv, $path, 200], [file_get_contents($path), $export->path, $export->response->status]);
        $api->request();
        self::assertSame(['/users/me/sales.csv?month=2026-11', false], [($request = $api->request())[1], isset($request[2]['range'])]);
        unlink($path);
    }

    public function testAnUnwritableFileThrowsBeforeAnyRequest(): void
    {
        $client = $this->client();
        $this->expectException(InvalidArgumentException::class);
        $client->sales->export('2026-11', '/nowhere/sales.csv');
    }

    public function testARefusedCallDoesNotChangeTheFile(): void
    {
        $path = (string) tempnam(sys_get_temp_dir(), 'sales');
        file_put_contents($path, 'yesterday');
        $api = (new Replies())->add(401, [], '{}');
        try {
            (new Client(apiKey: self::KEY, baseUrl: $api->url))->sales->export('2026-11', $path);
            self::fail('The call is refused.');
        } catch (AuthenticationException) {
            self::assertSame('yesterday', file_get_contents($path));
        } finally {
            unlink($path);
        }
    }
}
