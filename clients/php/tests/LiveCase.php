<?php

declare(strict_types=1);

namespace BeatMarket\Test;

use BeatMarket\Client;
use PHPUnit\Framework\TestCase;

/** Needs a running service, selected by BEATMARKET_TEST_BASE_URL, _API_KEY and _CA_FILE. */
abstract class LiveCase extends TestCase
{
    protected function setUp(): void
    {
        if (getenv('BEATMARKET_TEST_BASE_URL') === false) {
            self::markTestSkipped('BEATMARKET_TEST_BASE_URL names no running service.');
        }
    }

    protected static function setting(string $name): string
    {
        return (string) getenv("BEATMARKET_TEST_{$name}");
    }

    protected static function client(): Client
    {
        return new Client(self::setting('API_KEY'), self::setting('BASE_URL'), self::setting('CA_FILE'));
    }
}
