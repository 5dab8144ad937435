<?php

declare(strict_types=1);

namespace BeatMarket\Test\Files;

use BeatMarket\BeatExport;
use BeatMarket\Client;
use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Exception\RateLimitException;
use BeatMarket\Http\Psr18Transport;
use BeatMarket\Test\Double\Replies;
use GuzzleHttp\Client as GuzzleClient;
use GuzzleHttp\Psr7\HttpFactory;
use PHPUnit\Framework\TestCase;

/** An export arrives whole, into a file or as a stream, in spite of lost connections. */
final class ExportsTest extends TestCase
{
    private Replies $api;
    private string $path;

    protected function setUp(): void
    {
        $this->api = new Replies();
        $this->path = sys_get_temp_dir() . '/' . bin2hex(random_bytes(8)) . '.gz';
    }

    protected function tearDown(): void
    {
        @unlink($this->path);
    }

    /** @dataProvider ways */
    public function testAnExportResumesWhereTheConnectionBroke(bool $isStream, bool $isPsr18): void
    {
        $bytes = self::gzip(1, 2000);
        $length = strlen($bytes);
        $this->api->add(200, self::head(7, $length), $bytes, 1000)
            ->add(206, ['Content-Range' => "bytes 999-/{$length}"] + self::head(7, $length - 999), substr($bytes, 999), 2001)
            ->add(206, ['Content-Range' => "bytes 2999-/{$length}"] + self::head(7, $length - 2999), substr($bytes, 2999));
        $export = $this->client($isPsr18)->exports->beats($isStream ? null : $this->path);
        self::assertSame(7, $export->position);
        self::assertSame(range(1, 2000), self::ids($export));
        $ranges = [];
        for ($index = 0; $index < 3; ++$index) {
            $headers = $this->api->request()[2];
            $ranges[] = [$headers['range'] ?? null, $headers['if-range'] ?? null];
        }
        self::assertSame([[null, null], ['bytes=999-', '"7"'], ['bytes=2999-', '"7"']], $ranges);
    }

    /** @return array<string, array{bool, bool}> */
    public static function ways(): array
    {
        return [
            'a file' => [false, false], 'a stream' => [true, false],
            'a file over PSR-18' => [false, true], 'a stream over PSR-18' => [true, true],
        ];
    }

    public function testAnExportToAFileStartsAgainIfThereIsANewerOne(): void
    {
        $this->api->add(200, self::head(7), self::gzip(1, 900), 500)->add(200, self::head(8), self::gzip(5, 6));
        $export = $this->client()->exports->beats($this->path);
        self::assertSame([8, [5, 6], [5, 6]], [$export->position, self::ids($export), self::ids($export)]);
    }

    public function testAStreamedExportThrowsIfThereIsANewerOne(): void
    {
        $this->api->add(200, self::head(7), self::gzip(1, 900), 500)->add(200, self::head(8), self::gzip(5, 6));
        $export = $this->client()->exports->beats();
        $this->expectException(APIConnectionException::class);
        $this->expectExceptionMessage('changed while it was read');
        self::ids($export);
    }

    public function testAStreamedExportIsReadOnceAndTheLoopMayEndEarly(): void
    {
        $bytes = self::gzip(1, 40_000);
        $this->api->add(200, self::head(7), $bytes)->add(200, [], '{"status":"success","data":{"genres":[]}}');
        $client = $this->client();
        $export = $client->exports->beats();
        foreach ($export as $beat) {
            self::assertCount(0, $client->genres->list()); // Other calls work while it is read.
            break;
        }
        try {
            self::ids($export);
            self::fail('It was read twice.');
        } catch (InvalidArgumentException $error) {
            self::assertStringContainsString('read once', $error->getMessage());
        }
        unset($export, $beat);
        $this->api->add(200, [], '{"status":"success","data":{"genres":[]}}');
        self::assertCount(0, $client->genres->list());
    }

    public function testAnExportThatIsRefusedThrowsAtOnce(): void
    {
        $this->api->add(429, ['Retry-After' => 3600], '{}');
        $this->expectException(RateLimitException::class);
        $this->client()->exports->beats();
    }

    public function testAnExportWithoutAPositionThrows(): void
    {
        $this->api->add(200, [], 'x');
        $this->expectException(APIConnectionException::class);
        $this->client()->exports->beats();
    }

    /** @dataProvider brokenFiles */
    public function testAnIncompleteOrDamagedGzipFileThrows(string $bytes): void
    {
        $this->api->add(200, self::head(7), $bytes);
        $export = $this->client()->exports->beats($this->path);
        $this->expectException(BeatMarketException::class);
        self::ids($export);
    }

    /** @return list<array{string}> */
    public static function brokenFiles(): array
    {
        return [['no gzip'], [substr(self::gzip(1, 900), 0, 500)]];
    }

    private function client(bool $isPsr18 = false): Client
    {
        $factory = new HttpFactory();
        $transport = $isPsr18 ? new Psr18Transport(new GuzzleClient(['timeout' => 10, 'stream' => true]), $factory, $factory) : null;

        return new Client('bm_key', $this->api->url, timeout: 10, transport: $transport, sleep: static function (): void {
        });
    }

    /** @return array<string, int|string> */
    private static function head(int $position, ?int $length = null): array
    {
        return ['ETag' => "\"{$position}\"", 'X-Change-Position' => $position] + ($length === null ? [] : ['Content-Length' => $length]);
    }

    private static function gzip(int $first, int $last): string
    {
        mt_srand(7); // Titles that gzip cannot shorten away.
        $lines = array_map(static fn (int $id): string => json_encode(['id' => $id, 'title' => md5((string) mt_rand())]) . "\n", range($first, $last));

        return (string) gzencode(implode($lines));
    }

    /** @return list<int> */
    private static function ids(BeatExport $export): array
    {
        $ids = [];
        foreach ($export as $beat) {
            $ids[] = $beat->id;
        }

        return $ids;
    }
}
