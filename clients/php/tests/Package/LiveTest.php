<?php

declare(strict_types=1);

namespace BeatMarket\Test\Package;

use BeatMarket\Client;
use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\AuthenticationException;
use BeatMarket\Exception\NotFoundException;
use BeatMarket\Test\LiveCase;
use BeatMarket\Test\Program;

final class LiveTest extends LiveCase
{
    public function testTheModelsParseTheResponsesOfTheService(): void
    {
        $client = self::client();
        $page = $client->beats->list(limit: 5, maxItems: 12);
        $ids = array_map(static fn ($beat): int => $beat->id, iterator_to_array($page));
        self::assertCount(12, array_unique($ids));
        $beat = $client->beats->get($ids[0]);
        self::assertSame($page->data[0]->title, $beat->title);
        self::assertNotNull($beat->response()?->requestId);
        self::assertCount(3, $client->beats->similar($beat->id, limit: 3));
        self::assertSame($beat->producerName, $client->users->get($beat->userId)->displayName);
        self::assertGreaterThan(1, count($client->genres->list()));
    }

    public function testTheSameIdempotencyKeyReturnsTheSameOrder(): void
    {
        $client = self::client();
        $key = bin2hex(random_bytes(16));
        $first = $client->orders->create(beatId: 3, paymentMethod: 'pm_card_visa', idempotencyKey: $key);
        $again = $client->orders->create(beatId: 3, paymentMethod: 'pm_card_visa', idempotencyKey: $key);
        self::assertSame($first->id, $again->id);
        self::assertSame('true', $again->response()?->header('Idempotent-Replayed'));
        self::assertSame($first->id, $client->orders->get($first->id)->id);
    }

    public function testAnUnknownIdThrowsNotFound(): void
    {
        $this->expectException(NotFoundException::class);
        $this->expectExceptionMessage('Beat -1 does not exist');
        self::client()->beats->get(-1);
    }

    public function testAWrongKeyThrowsAuthenticationException(): void
    {
        $this->expectException(AuthenticationException::class);
        (new Client('bm_wrong', self::setting('BASE_URL'), self::setting('CA_FILE')))->genres->list();
    }

    public function testAnUntrustedCertificateFailsWithoutRetry(): void
    {
        $waits = 0;
        $client = new Client('bm_key', self::setting('BASE_URL'), caFile: self::unrelatedAuthority(), sleep: function () use (&$waits): void {
            ++$waits;
        });
        try {
            $client->genres->list();
            self::fail('It was trusted.');
        } catch (APIConnectionException $error) {
            self::assertStringContainsString('caFile', $error->getMessage());
            self::assertSame([60, 0], [$error->getPrevious()?->getCode(), $waits]);
        }
    }

    /** A CA file whose authority did not sign the service's certificate. */
    private static function unrelatedAuthority(): string
    {
        $key = openssl_pkey_new(['private_key_type' => OPENSSL_KEYTYPE_EC, 'curve_name' => 'prime256v1']);
        self::assertNotFalse($key);
        $request = openssl_csr_new(['commonName' => 'nobody'], $key);
        self::assertInstanceOf(\OpenSSLCertificateSigningRequest::class, $request);
        $certificate = openssl_csr_sign($request, null, $key, 1);
        self::assertNotFalse($certificate);
        $file = Program::folder() . '/nobody.pem';
        openssl_x509_export_to_file($certificate, $file);

        return $file;
    }
}
