<?php

declare(strict_types=1);

namespace BeatMarket\Test\Files;

use BeatMarket\Client;
use BeatMarket\Delivery\Delivery;
use BeatMarket\DownloadProgress;
use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\APIStatusException;
use BeatMarket\Exception\ChecksumException;
use BeatMarket\Exception\GoneException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Exception\InvalidRequestException;
use BeatMarket\Exception\ServerException;
use BeatMarket\Http\Psr18Transport;
use BeatMarket\Http\Transport;
use BeatMarket\Test\Double\Replies;
use GuzzleHttp\Client as GuzzleClient;
use GuzzleHttp\Psr7\HttpFactory;
use PHPUnit\Framework\TestCase;

/** A file of an order arrives whole or not at all, in spite of temporary failures. */
final class DownloadsTest extends TestCase
{
    private const BYTES = 'The bytes of a beat.';
    private const KEY = 'bm_key_that_stays_here';

    private Replies $api;
    private Replies $storage;
    private string $folder;
    private string $path;

    /** @var list<float> */
    private array $waits = [];

    /** @var list<string> */
    private array $log = [];

    /** @var list<array{string, int, int}> */
    private array $progress = [];

    protected function setUp(): void
    {
        $this->api = new Replies();
        $this->storage = new Replies();
        $this->folder = sys_get_temp_dir() . '/' . bin2hex(random_bytes(8));
        mkdir($this->folder);
        $this->path = "{$this->folder}/beat.wav";
    }

    protected function tearDown(): void
    {
        array_map(unlink(...), glob("{$this->folder}/{,*/}*.*", GLOB_BRACE) ?: []);
        array_map(rmdir(...), [...glob("{$this->folder}/*") ?: [], $this->folder]);
    }

    public function testAFileIsFetchedByItsLinkAndWithoutTheKey(): void
    {
        $this->lists()->add(200, [], self::BYTES);
        $file = $this->download();
        self::assertSame(
            ['wav', 'Größe.wav', strlen(self::BYTES), hash('sha256', self::BYTES), $this->path],
            [$file->kind, $file->filename, $file->bytes, $file->sha256, $file->path],
        );
        self::assertSame([self::BYTES, ['beat.wav']], [file_get_contents($this->path), $this->names()]);
        self::assertSame([['wav', 0, 20], ['wav', 20, 20]], $this->progress);
        [$method, $target, $headers] = $this->api->request();
        self::assertSame(['GET', '/v1/orders/3/files', 'Bearer ' . self::KEY], [$method, $target, $headers['authorization']]);
        [$method, $target, $headers] = $this->api->request();
        self::assertSame(['GET', '/downloads/3/wav?signature=s1'], [$method, $target]);
        self::assertSame(['identity', 'beatmarket-php/'], [$headers['accept-encoding'], substr($headers['user-agent'], 0, 15)]);
        self::assertSame([], array_intersect_key($headers, ['authorization' => 1, 'range' => 1]));
        self::assertStringContainsString('/downloads/3/wav', implode($this->log));
        self::assertStringNotContainsString('signature', implode($this->log));
    }

    public function testADownloadResumesWhereTheConnectionBroke(): void
    {
        $this->lists()->add(200, [], self::BYTES, 7)->add(206, ['Content-Range' => 'bytes 7-19/20'], substr(self::BYTES, 7), 4)
            ->add(206, ['Content-Range' => 'bytes 11-19/20'], substr(self::BYTES, 11));
        $this->download(maxRetries: 1);
        self::assertSame(self::BYTES, file_get_contents($this->path));
        self::assertSame([null, 'bytes=7-', 'bytes=11-'], array_slice($this->ranges(4), 1));
        self::assertSame([0, 7, 11, 20], array_column($this->progress, 1));
        self::assertCount(2, $this->waits);
    }

    public function testADownloadStartsAgainIfTheServiceSendsTheWholeFile(): void
    {
        $this->lists()->add(200, [], self::BYTES, 7)->add(200, [], self::BYTES);
        $this->download();
        self::assertSame(self::BYTES, file_get_contents($this->path));
    }

    public function testARangeWithAnotherStartIsNotAppended(): void
    {
        file_put_contents("{$this->path}.part", 'The');
        $this->lists()->add(206, ['Content-Range' => 'bytes 0-19/20'], self::BYTES);
        try {
            $this->download(maxRetries: 0);
            self::fail('It was taken.');
        } catch (APIConnectionException $error) {
            self::assertStringContainsString('bytes 0-19/20', $error->getMessage());
        }
        self::assertSame('The', file_get_contents("{$this->path}.part"));
    }

    public function testALaterCallResumesThePartOfAFailedCall(): void
    {
        $this->lists()->add(200, [], self::BYTES, 7);
        try {
            $this->download(maxRetries: 0);
            self::fail('It was complete.');
        } catch (APIConnectionException) {
            self::assertSame(['beat.wav.part'], $this->names());
        }
        $this->lists()->add(206, ['Content-Range' => 'bytes 7-19/20'], substr(self::BYTES, 7));
        $this->download(maxRetries: 0);
        self::assertSame([self::BYTES, ['beat.wav']], [file_get_contents($this->path), $this->names()]);
        self::assertSame([0, 7, 7, 20], array_column($this->progress, 1));
    }

    public function testAPartThatIsLongerThanTheFileIsDownloadedAgain(): void
    {
        file_put_contents("{$this->path}.part", self::BYTES . 'more');
        $this->lists()->add(200, [], self::BYTES);
        $this->download();
        self::assertSame(self::BYTES, file_get_contents($this->path));
        self::assertSame([null, null], $this->ranges(2));
    }

    public function testACompletePartIsNotDownloadedAgain(): void
    {
        file_put_contents("{$this->path}.part", self::BYTES);
        $this->lists();
        $this->download();
        self::assertSame([self::BYTES, ['beat.wav']], [file_get_contents($this->path), $this->names()]);
    }

    public function testACompleteFileIsNotDownloadedAgain(): void
    {
        file_put_contents($this->path, self::BYTES);
        $this->lists();
        self::assertSame($this->path, $this->download()->path);
        self::assertSame([['wav', 20, 20]], $this->progress);
    }

    public function testBytesWithAnotherChecksumAreDeletedAndTheOldFileStays(): void
    {
        file_put_contents($this->path, 'an older file');
        $this->lists()->add(200, [], strrev(self::BYTES));
        try {
            $this->download();
            self::fail('They were taken.');
        } catch (ChecksumException $error) {
            $hashes = hash('sha256', strrev(self::BYTES)) . ', not ' . hash('sha256', self::BYTES);
            self::assertSame(
                "The file wav of order 3 came with other bytes than the service lists (SHA-256 {$hashes}) and was deleted; download it again.",
                $error->getMessage(),
            );
        }
        self::assertSame(['an older file', ['beat.wav']], [file_get_contents($this->path), $this->names()]);
    }

    /** @dataProvider transports */
    public function testMoreBytesThanTheFileHasAreDeleted(?Transport $transport): void
    {
        $this->lists()->add(200, [], self::BYTES . 'x');
        try {
            $this->download(transport: $transport);
            self::fail('They were taken.');
        } catch (ChecksumException $error) {
            self::assertStringContainsString('(more than 20 bytes)', $error->getMessage());
        }
        self::assertSame([], $this->names());
    }

    public function testAPartWithOtherBytesIsDownloadedAgainOnce(): void
    {
        file_put_contents("{$this->path}.part", 'Others');
        $this->lists()->add(206, ['Content-Range' => 'bytes 6-19/20'], substr(self::BYTES, 6))->add(200, [], self::BYTES);
        $this->download();
        self::assertSame([self::BYTES, ['beat.wav']], [file_get_contents($this->path), $this->names()]);

        unlink($this->path);
        file_put_contents("{$this->path}.part", 'Others');
        $this->lists()->add(206, ['Content-Range' => 'bytes 6-19/20'], substr(self::BYTES, 6))->add(200, [], strrev(self::BYTES));
        $this->expectException(ChecksumException::class);
        $this->download();
    }

    public function testAnExpiredLinkIsReplacedByANewOne(): void
    {
        $this->lists()->add(200, [], self::BYTES, 7)->add(410);
        $this->lists('s2')->add(206, ['Content-Range' => 'bytes 7-19/20'], substr(self::BYTES, 7));
        $this->download();
        $targets = array_map(fn (): string => $this->api->request()[1], range(1, 5));
        self::assertSame(['/downloads/3/wav?signature=s1', '/v1/orders/3/files', '/downloads/3/wav?signature=s2'], array_slice($targets, 2));
        self::assertSame(self::BYTES, file_get_contents($this->path));
    }

    public function testADownloadThrowsIfTheNewLinkIsAlsoGone(): void
    {
        $this->lists()->add(410);
        $this->lists()->add(410);
        $this->expectException(GoneException::class);
        $this->download();
    }

    public function testADownloadThrowsIfTheOrderIsRefundedBeforeItEnds(): void
    {
        $this->lists()->add(410);
        $this->answers([]);
        $this->expectException(InvalidArgumentException::class);
        $this->expectExceptionMessage('The order 3 has no files: its license is refunded.');
        $this->download();
    }

    /** @dataProvider transports */
    public function testARedirectIsFollowedToAnotherHostWithoutTheKey(?Transport $transport): void
    {
        file_put_contents("{$this->path}.part", 'The bytes');
        $this->lists()->add(302, ['Location' => "{$this->storage->url}/bucket/x?X-Amz-Signature=y"]);
        $this->storage->add(206, ['Content-Range' => 'bytes 9-19/20'], substr(self::BYTES, 9));
        $this->download(transport: $transport);
        [$method, $target, $headers] = $this->storage->request();
        self::assertSame(['GET', '/bucket/x?X-Amz-Signature=y', 'bytes=9-'], [$method, $target, $headers['range']]);
        self::assertStringNotContainsString(self::KEY, (string) json_encode($headers));
        self::assertStringNotContainsString('X-Amz-Signature', implode($this->log));
        self::assertSame(self::BYTES, file_get_contents($this->path));
    }

    /** @return array<string, array{Transport|null}> */
    public static function transports(): array
    {
        $factory = new HttpFactory();

        return ['ext-curl' => [null], 'PSR-18' => [new Psr18Transport(new GuzzleClient(['timeout' => 10]), $factory, $factory)]];
    }

    /** @dataProvider refusedRedirects */
    public function testAnInsecureOrInvalidRedirectIsNotFollowed(string $location): void
    {
        $this->lists()->add(302, ['Location' => $location]);
        try {
            $this->download();
            self::fail('It was followed.');
        } catch (APIStatusException $error) {
            self::assertSame(302, $error->status);
        }
    }

    /** @return list<array{string}> */
    public static function refusedRedirects(): array
    {
        return [['http://storage.example/x'], ['ftp://storage.example/x'], ['https://me:you@storage.example/x'], ['//'], ['https://['], ['']];
    }

    public function testAtMostFiveRedirectsAreFollowed(): void
    {
        $this->lists();
        for ($count = 0; $count < 6; ++$count) {
            $this->api->add(307, ['Location' => "/downloads/{$count}"]);
        }
        try {
            $this->download();
            self::fail('They were followed without end.');
        } catch (APIStatusException $error) {
            self::assertSame(307, $error->status);
        }
        self::assertSame('/downloads/4', array_map(fn (): string => $this->api->request()[1], range(1, 7))[6]);
    }

    public function testADownloadWaitsUntilTheFilesAreCreated(): void
    {
        $this->api->add(503, ['Retry-After' => 7])->add(503, ['Retry-After' => 7]);
        $this->lists()->add(200, [], self::BYTES);
        $this->download();
        self::assertSame([[7.0, 7.0], self::BYTES], [$this->waits, file_get_contents($this->path)]);

        $this->api->add(503, ['Retry-After' => 7]);
        $this->expectException(ServerException::class);
        $this->client(maxRetries: 0)->orders->files(3);
    }

    public function testAnOrderThatIsNotCompletedIsNotRetried(): void
    {
        $error = ['status' => 'error', 'error' => ['code' => 'invalid_request', 'message' => 'Conflict', 'details' => 'It is pending.']];
        $this->api->add(409, [], (string) json_encode($error));
        $this->expectException(InvalidRequestException::class);
        $this->download();
    }

    public function testADownloadThrowsForAnAbsentKindAndAnUnwritablePath(): void
    {
        $client = $this->client();
        $calls = [
            'The order 3 has no stems; it has wav.' => fn () => $client->orders->download(3, 'stems', $this->path),
            "{$this->folder} is a folder: name a file in it." => fn () => $client->orders->download(3, 'wav', $this->folder),
            "The file {$this->folder}/none/x.part cannot be written." => fn () => $client->orders->download(3, 'wav', "{$this->folder}/none/x"),
        ];
        foreach ($calls as $message => $call) {
            $this->lists();
            try {
                $call();
                self::fail('It was done.');
            } catch (InvalidArgumentException $error) {
                self::assertSame($message, $error->getMessage());
            }
        }
        self::assertSame([], $this->names());
    }

    public function testAnExceptionOfTheCallbackEndsTheDownload(): void
    {
        $this->lists()->add(200, [], self::BYTES);
        $this->expectExceptionMessage('enough');
        $this->client()->orders->download(3, 'wav', $this->path, static fn (DownloadProgress $reached) => $reached->received > 0
            ? throw new \RuntimeException('enough')
            : null);
    }

    public function testAllFilesOfAnOrderGoToOneFolder(): void
    {
        $files = [$this->file('mp3', 'mp3', '../../A:B.mp3'), $this->file('wav', 'wav', '../../a:b.MP3'), $this->file('license', 'pdf', ' .. ')];
        $this->answers($files)->add(200, [], 'mp3')->add(200, [], 'wav')->add(200, [], 'pdf');
        $stored = $this->client()->orders->downloadAll(3, "{$this->folder}/new");
        self::assertSame(['_.._A_B.mp3', 'wav _.._a_b.MP3', 'license'], array_map(static fn ($file): string => basename($file->path), $stored));
        self::assertSame(['mp3', 'wav', 'pdf'], array_map(static fn ($file): string => (string) file_get_contents($file->path), $stored));
        array_map(unlink(...), array_column($stored, 'path'));

        $this->answers([]);
        $this->expectExceptionMessage('The order 3 has no files: its license is refunded.');
        $this->client()->orders->downloadAll(3, "{$this->folder}/new");
    }

    /** @dataProvider fileNames */
    public function testNamesOfFilesAreMadeSafe(string $name, string $safe): void
    {
        self::assertSame($safe, Delivery::fileName($name, 'mp3'));
    }

    /** @return list<array{string, string}> */
    public static function fileNames(): array
    {
        return [
            ['水曜日の庭 - 青い高速道路 (basic).mp3', '水曜日の庭 - 青い高速道路 (basic).mp3'],
            ['/etc/passwd', '_etc_passwd'],
            ['..\\..\\x', '_.._x'],
            ["a\0b\nc\u{85}d\u{202E}e\u{2066}f", 'a_b_c_d_e_f'],
            ['C:*?"<>|', 'C_______'],
            [' . name. ', 'name'],
            ['..', 'mp3'],
            ['', 'mp3'],
            ['CON', '_CON'],
            ['lpt1.txt', '_lpt1.txt'],
            ['console.txt', 'console.txt'],
            [str_repeat('x', 300) . '.mp3', str_repeat('x', 196) . '.mp3'],
            [str_repeat('é', 150) . '.mp3', str_repeat('é', 98) . '.mp3'],
            ['x' . str_repeat('é', 150) . '.mp3', 'x' . str_repeat('é', 97) . '.mp3'],
            [str_repeat('x', 199) . '.' . str_repeat('y', 11), str_repeat('x', 199) . '.'],
        ];
    }

    private function client(int $maxRetries = 2, ?Transport $transport = null): Client
    {
        return new Client(
            apiKey: self::KEY,
            baseUrl: "{$this->api->url}/v1",
            maxRetries: $maxRetries,
            logger: function (string $level, string $message, array $context): void {
                $this->log[] = json_encode($context, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES);
            },
            transport: $transport,
            sleep: function (float $seconds): void {
                $this->waits[] = $seconds;
            },
        );
    }

    private function download(int $maxRetries = 2, ?Transport $transport = null): \BeatMarket\DownloadedFile
    {
        $progress = function (DownloadProgress $reached): void {
            $this->progress[] = [$reached->kind, $reached->received, $reached->bytes];
        };

        return $this->client($maxRetries, $transport)->orders->download(3, 'wav', $this->path, $progress);
    }

    /** The next reply lists one file, under a link of this signature. */
    private function lists(string $signature = 's1'): Replies
    {
        return $this->answers([$this->file('wav', self::BYTES, 'Größe.wav', $signature)]);
    }

    /** @param list<array<string, mixed>> $files */
    private function answers(array $files): Replies
    {
        $license = ['id' => 'l', 'url' => 'u', 'jws' => 'j', 'type' => 'premium', 'terms_version' => 't', 'status' => $files === [] ? 'refunded' : 'valid'];

        return $this->api->add(200, [], (string) json_encode(['status' => 'success', 'data' => ['files' => $files, 'license' => $license]]));
    }

    /** @return array<string, mixed> */
    private function file(string $kind, string $bytes, string $filename, string $signature = 's1'): array
    {
        return [
            'kind' => $kind, 'filename' => $filename, 'bytes' => strlen($bytes), 'sha256' => hash('sha256', $bytes),
            'url' => "{$this->api->url}/downloads/3/{$kind}?signature={$signature}", 'expires_at' => '2026-11-22T12:15:00Z',
        ];
    }

    /** @return list<string|null> of the next requests */
    private function ranges(int $count): array
    {
        return array_map(fn (): ?string => $this->api->request()[2]['range'] ?? null, range(1, $count));
    }

    /** @return list<string> the names of the files in the folder */
    private function names(): array
    {
        return array_values(array_diff(scandir($this->folder) ?: [], ['.', '..']));
    }
}
