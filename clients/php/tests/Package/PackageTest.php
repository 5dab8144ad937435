<?php

declare(strict_types=1);

namespace BeatMarket\Test\Package;

use BeatMarket\Client;
use BeatMarket\Test\Program;
use PHPUnit\Framework\TestCase;

final class PackageTest extends TestCase
{
    public function testTheChangelogHasAnUnreleasedSectionAndTheVersion(): void
    {
        $text = (string) file_get_contents(Program::package() . '/CHANGELOG.md');
        preg_match('/^## (.+)/m', $text, $match);
        self::assertSame('[Unreleased]', $match[1] ?? null);
        self::assertStringContainsString(Client::VERSION, $text);
    }

    public function testThePackageHasItsMetadataAndFiles(): void
    {
        $package = json_decode((string) file_get_contents(Program::package() . '/composer.json'), true, flags: JSON_THROW_ON_ERROR);
        self::assertSame(
            ['beatmarket/beatmarket', 'MIT', '>=8.1', 'https://beatmarket.example'],
            [$package['name'], $package['license'], $package['require']['php'], $package['homepage']],
        );
        $readme = (string) file_get_contents(Program::package() . '/README.md');
        self::assertStringContainsString('"beatmarket/beatmarket": "' . Client::VERSION . '"', $readme);
        self::assertSame([], array_diff(['keywords', 'authors', 'description'], array_keys(array_filter($package))));
        self::assertSame(['source', 'issues', 'docs'], array_keys($package['support']));
        $examples = ['mirror', 'sales_report', 'receiver', 'mixing'];
        $files = [...array_map(static fn (string $name): string => "examples/{$name}.php", $examples), 'README.md', 'CHANGELOG.md', 'LICENSE'];
        foreach ([...$files, 'autoload.php'] as $file) {
            self::assertFileExists(Program::package() . '/' . $file);
        }
    }

    public function testItLoadsWithoutComposer(): void
    {
        $file = var_export(Program::package() . '/autoload.php', true);
        $source = "<?php require {$file}; echo (new BeatMarket\\Client('bm_key'))::VERSION; class_exists('BeatMarket\\\\Nothing');";
        self::assertSame([0, Client::VERSION, ''], Program::run($source, []));
        $names = array_filter(self::classes(), static fn (string $class): bool => !str_contains($class, 'Psr18'));
        $all = '[' . implode(', ', array_map(static fn (string $class): string => "{$class}::class", $names)) . ']';
        $source = "<?php require {$file}; foreach ({$all} as \$name) { class_exists(\$name) || interface_exists(\$name) || trait_exists(\$name) || print \$name; }";
        self::assertSame([0, '', ''], Program::run($source, []));
    }

    public function testEverythingPublicIsDocumented(): void
    {
        $undocumented = [];
        foreach (self::classes() as $class) {
            $reflection = new \ReflectionClass($class);
            if ($reflection->getDocComment() === false && $reflection->getNamespaceName() !== 'BeatMarket\\Resource') {
                $undocumented[] = $class;
            }
            foreach ($reflection->getMethods(\ReflectionMethod::IS_PUBLIC) as $method) {
                $isOwn = $method->getDeclaringClass()->getName() === $class && str_starts_with((string) $method->getFileName(), Program::package());
                if ($isOwn && $method->getDocComment() === false && !self::isInherited($method)) {
                    $undocumented[] = "{$class}::{$method->getName()}";
                }
            }
        }
        self::assertSame([], $undocumented);
    }

    public function testTheHandWrittenSourceStaysSmall(): void
    {
        $byHand = array_filter(
            array_map(static fn (string $file): string => (string) file_get_contents($file), self::files()),
            static fn (string $text): bool => !str_contains($text, '// Generated from contract/openapi.json'),
        );
        self::assertLessThanOrEqual(40, count($byHand));
        self::assertLessThanOrEqual(3_000, substr_count(implode($byHand), "\n"), 'lines, with comments');
    }

    /** @return list<string> */
    private static function files(): array
    {
        $source = realpath(Program::package()) . '/src/';
        $files = new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator($source, \FilesystemIterator::SKIP_DOTS));

        return array_values(array_filter(
            array_map(strval(...), iterator_to_array($files)),
            static fn (string $file): bool => str_ends_with($file, '.php'),
        ));
    }

    /** @return list<class-string> */
    private static function classes(): array
    {
        foreach (self::files() as $file) {
            require_once $file;
        }
        $declared = [...get_declared_classes(), ...get_declared_interfaces(), ...get_declared_traits()];
        $source = realpath(Program::package()) . '/src/';
        $isOwn = static fn (string $class): bool => str_starts_with((string) (new \ReflectionClass($class))->getFileName(), $source);
        $classes = array_values(array_filter($declared, $isOwn));
        self::assertGreaterThan(100, count($classes));

        return $classes;
    }

    /** Whether an interface or PHP documents the method, or it needs no documentation. */
    private static function isInherited(\ReflectionMethod $method): bool
    {
        return $method->isConstructor() || $method->hasPrototype() || $method->getFileName() === false
            || str_starts_with($method->getName(), '__') || str_contains((string) $method->getDeclaringClass()->getDocComment(), '@internal');
    }
}
