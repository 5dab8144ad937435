<?php

declare(strict_types=1);

namespace BeatMarket\Test\Files;

use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\APITimeoutException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Exception\NotFoundException;
use BeatMarket\Exception\ServerException;
use BeatMarket\Exception\UploadRejectedException;
use BeatMarket\Http\Request;
use BeatMarket\Model\ReadyUpload;
use BeatMarket\Response;
use BeatMarket\Test\ClientCase;
use BeatMarket\UploadProgress;
use BeatMarket\Value\UploadKind;

/** A file arrives whole, in spite of temporary failures. */
final class UploadsTest extends ClientCase
{
    private const ID = 'upl_0000000000000000000001';

    private string $path;

    protected function setUp(): void
    {
        $this->path = sys_get_temp_dir() . '/' . bin2hex(random_bytes(8)) . ' Größe.wav';
        file_put_contents($this->path, 'abcdefg');
    }

    protected function tearDown(): void
    {
        unlink($this->path);
    }

    public function testAFileOfOnePartIsOneRequest(): void
    {
        $seen = [];
        $upload = $this->client(self::created(), self::upload('analysing'))->uploads->upload($this->path, 'audio', progress: self::into($seen));
        [$sent] = $this->transport->requests;
        self::assertSame([['POST', null, 'abcdefg'], ['GET', null, null]], $this->steps());
        self::assertSame(['/uploads', '/uploads/' . self::ID], $this->urls());
        $names = ['Tus-Resumable', 'Upload-Length', 'Upload-Metadata', 'Content-Type', 'Upload-Checksum'];
        self::assertSame([
            '1.0.0',
            '7',
            'kind YXVkaW8=,filename ' . base64_encode(substr($this->path, strrpos($this->path, '/') + 1)),
            'application/offset+octet-stream',
            self::checksum('abcdefg'),
        ], array_map(static fn (string $name): ?string => $sent->headers()[$name] ?? null, $names));
        self::assertSame([[self::ID, 7, 7]], $seen);
        self::assertSame([self::ID, 'analysing'], [$upload->id, $upload->status]);
    }

    public function testALargerFileIsSentInPartsToTheBaseUrl(): void
    {
        $seen = [];
        $client = $this->client(self::created(), self::received(3), self::received(6), self::received(7), self::upload('analysing'));
        $client->uploads->upload($this->path, 'stems', 'x.zip', self::into($seen), partBytes: 3);
        self::assertSame([['POST', null, null], ['PATCH', '0', 'abc'], ['PATCH', '3', 'def'], ['PATCH', '6', 'g'], ['GET', null, null]], $this->steps());
        self::assertSame(['/uploads', '/uploads/' . self::ID], array_values(array_unique($this->urls())));
        self::assertSame(self::checksum('def'), $this->transport->requests[2]->headers()['Upload-Checksum']);
        self::assertStringEndsWith(base64_encode('x.zip'), $this->transport->requests[0]->headers()['Upload-Metadata']);
        self::assertSame([0, 3, 6, 7], array_column($seen, 1));
    }

    /** @dataProvider passing */
    public function testAFailedPartResumesAtTheOffsetOfTheService(Response|APIConnectionException $failure): void
    {
        $responses = [self::created(), self::received(3), $failure, self::received(3), self::received(6), self::received(7), self::upload('analysing')];
        $this->client(...$responses)->uploads->upload($this->path, 'audio', partBytes: 3);
        self::assertSame(
            [['POST', null, null], ['PATCH', '0', 'abc'], ['PATCH', '3', 'def'], ['HEAD', null, null], ['PATCH', '3', 'def'], ['PATCH', '6', 'g'], ['GET', null, null]],
            $this->steps(),
        );
        self::assertCount(1, $this->waits);
    }

    /** @return list<array{Response|APIConnectionException}> */
    public static function passing(): array
    {
        return [[new APIConnectionException('lost')], [self::failure(423, headers: ['retry-after' => '1'])], [self::failure(460)], [self::failure(503)]];
    }

    public function testAPartWhoseResponseIsLostIsNotSentAgain(): void
    {
        $responses = [self::created(), self::received(3), new APIConnectionException('lost'), self::received(6), self::received(7), self::upload('analysing')];
        $this->client(...$responses)->uploads->upload($this->path, 'audio', partBytes: 3);
        self::assertSame(['abc', 'def', 'g'], array_values(array_filter(array_column($this->steps(), 2))));
    }

    public function testEachPartHasAtLeastFiveRetries(): void
    {
        $lost = array_fill(0, 5, new APIConnectionException('lost'));
        $responses = [self::created(), ...$lost, self::received(0), self::received(6), ...$lost, self::received(6), self::received(7), self::upload('analysing')];
        $this->client(...$responses)->with(maxRetries: 1)->uploads->upload($this->path, 'audio', partBytes: 6);
        self::assertCount(10, $this->waits);

        $this->waits = [];
        $client = $this->client(self::created(), ...$lost, ...$lost);
        try {
            $client->with(maxRetries: 1)->uploads->upload($this->path, 'audio', partBytes: 6);
            self::fail('It did not give up.');
        } catch (APIConnectionException) {
            self::assertCount(5, $this->waits);
        }
    }

    public function testMaxRetriesZeroAlsoHoldsForParts(): void
    {
        $client = $this->client(self::created(), new APIConnectionException('lost'), self::received(0))->with(maxRetries: 0);
        $this->expectException(APIConnectionException::class);
        $client->uploads->upload($this->path, 'audio', partBytes: 3);
    }

    public function testStatus507IsNotRetried(): void
    {
        $client = $this->client(self::created(), self::failure(507));
        try {
            $client->uploads->upload($this->path, 'audio', partBytes: 3);
            self::fail('It was tried again.');
        } catch (ServerException $error) {
            self::assertSame([507, []], [$error->status, $this->waits]);
        }
    }

    public function testALaterProcessSendsTheRest(): void
    {
        $seen = [];
        $this->client(self::received(3), self::received(6), self::received(7), self::upload('analysing'))
            ->uploads->resume(self::ID, $this->path, self::into($seen), partBytes: 3);
        self::assertSame([['HEAD', null, null], ['PATCH', '3', 'def'], ['PATCH', '6', 'g'], ['GET', null, null]], $this->steps());
        self::assertSame([3, 6, 7], array_column($seen, 1));
    }

    public function testAnotherFileIsRefusedBeforeAnyByte(): void
    {
        $client = $this->client(self::received(3, length: 8));
        $this->expectException(InvalidArgumentException::class);
        $this->expectExceptionMessage('The file has 7 bytes, and the upload ' . self::ID . ' is for a file with 8');
        $client->uploads->resume(self::ID, $this->path);
    }

    public function testResumingADeletedUploadThrowsWithTheReason(): void
    {
        $this->expectException(NotFoundException::class);
        $this->expectExceptionMessage('Do something else.');
        $this->client(self::response('', 404), self::failure(404, 'not_found'))->uploads->resume(self::ID, $this->path);
    }

    public function testAnUploadThrowsIfTheFileBecomesShorter(): void
    {
        $client = $this->client(self::created(), self::received(3));
        $this->expectException(InvalidArgumentException::class);
        $this->expectExceptionMessage('became shorter');
        $shorten = fn (UploadProgress $progress) => file_put_contents($this->path, 'abcd');
        $client->uploads->upload($this->path, 'audio', progress: $shorten, partBytes: 3);
    }

    public function testAnUnreadableFileAndAPartSizeOfZeroAreRefusedBeforeAnyRequest(): void
    {
        $client = $this->client();
        foreach ([['/nowhere/a.wav', 1], [__DIR__, 1], [$this->path, 0]] as [$path, $partBytes]) {
            try {
                $client->uploads->upload($path, 'audio', partBytes: $partBytes);
                self::fail('It was read.');
            } catch (InvalidArgumentException $error) {
                self::assertMatchesRegularExpression('/cannot be read|must be 1 or more/', $error->getMessage());
            }
        }
        self::assertSame([], $this->transport->requests);
    }

    public function testTheTimeoutOfAPartGrowsWithItsBytes(): void
    {
        file_put_contents($this->path, str_repeat('x', 128_000));
        $responses = [self::created(), self::received(64_000), self::received(128_000), self::upload('analysing')];
        $this->client(...$responses)->with(timeout: 2)->uploads->upload($this->path, 'audio', partBytes: 64_000);
        self::assertSame([2.0, 3.0, 3.0, 2.0], array_map(static fn (Request $sent): float => $sent->timeoutSeconds, $this->transport->requests));
    }

    public function testAnOpenFileIsUploadedFromItsBeginningAndStaysOpen(): void
    {
        foreach ([fopen($this->path, 'r+b'), fopen('php://memory', 'w+b')] as $file) {
            if (!is_resource($file)) {
                self::fail('The file was not opened.');
            }
            fwrite($file, 'abcdefg');
            $client = $this->client(self::created(), self::upload('analysing'));
            $client->uploads->upload($file, UploadKind::Audio);
            $sent = $this->transport->requests[0];
            $isNamed = stream_get_meta_data($file)['uri'] === $this->path;
            $metadata = 'kind ' . base64_encode('audio') . ',filename ' . base64_encode($isNamed ? (new \SplFileInfo($this->path))->getFilename() : 'audio');
            self::assertSame(['abcdefg', $metadata], [$sent->body, $sent->plainHeaders['Upload-Metadata']]);
            self::assertTrue(is_resource($file) && fclose($file));
        }
    }

    public function testAPipeCannotBeUploaded(): void
    {
        $pipe = popen('printf x', 'r');
        $this->expectException(InvalidArgumentException::class);
        $this->expectExceptionMessage('an open seekable file');
        $this->client()->uploads->upload($pipe, 'audio');
    }

    public function testWaitsUntilAnUploadIsReady(): void
    {
        $upload = $this->client(...array_fill(0, 5, self::upload('analysing')), ...[self::upload('ready')])->uploads->wait(self::ID);
        self::assertSame(['ready', [1.0, 2.0, 4.0, 8.0, 8.0]], [$upload->status, $this->waits]);
        self::assertInstanceOf(ReadyUpload::class, $upload);
        self::assertSame(200, $upload->response()?->status);
    }

    public function testARejectedUploadThrowsWithTheReason(): void
    {
        try {
            $this->client(self::upload('rejected', 'This is no audio.'))->uploads->wait(self::ID);
            self::fail('It was ready.');
        } catch (UploadRejectedException $error) {
            self::assertSame(['This is no audio.', self::ID], [$error->getMessage(), $error->upload->id]);
        }
    }

    public function testWaitingEndsWithItsTimeout(): void
    {
        $this->client(self::upload('analysing'), self::upload('ready'))->uploads->wait(self::ID, timeout: 0.5);
        self::assertLessThanOrEqual(0.5, $this->waits[0]);
        $client = $this->client(self::upload('analysing'));
        $this->expectException(APITimeoutException::class);
        $this->expectExceptionMessage('is analysing after 0 seconds');
        $client->uploads->wait(self::ID, timeout: 0);
    }

    public function testAnUploadIsDeleted(): void
    {
        $this->client(self::response('', 204))->uploads->delete(self::ID);
        self::assertSame([['DELETE', null, null]], $this->steps());
        self::assertSame(['/uploads/' . self::ID], $this->urls());
    }

    /** @return list<array{string, string|null, string|null}> method, Upload-Offset and body of each request */
    private function steps(): array
    {
        return array_map(
            static fn (Request $sent): array => [$sent->method, $sent->headers()['Upload-Offset'] ?? null, $sent->body],
            $this->transport->requests,
        );
    }

    /** @param list<array{string, int, int}> $seen */
    private static function into(array &$seen): \Closure
    {
        return static function (UploadProgress $progress) use (&$seen): void {
            $seen[] = [$progress->uploadId, $progress->sent, $progress->bytes];
        };
    }

    private static function checksum(string $bytes): string
    {
        return 'sha256 ' . base64_encode(hash('sha256', $bytes, true));
    }

    private static function created(): Response
    {
        return self::response('', 201, ['location' => 'https://other.example/v1/uploads/' . self::ID]);
    }

    private static function received(int $offset, int $length = 7): Response
    {
        return self::response('', 204, ['upload-offset' => (string) $offset, 'upload-length' => (string) $length]);
    }

    private static function upload(string $status, ?string $rejection = null): Response
    {
        $upload = self::example('operations', 'getUpload')['reference']['data']['upload'];

        return self::success(['upload' => ['status' => $status, 'rejection' => $rejection] + $upload]);
    }
}
