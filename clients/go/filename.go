package beatmarket

import (
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"
)

// File systems take 255 bytes of UTF-8, and a download has ".part" after it while it runs.
const longestName = 200

var (
	// Separators, what Windows refuses, control characters, and what changes the direction of text.
	unsafeCharacters = regexp.MustCompile(`[/\\:*?"<>|\p{Cc}\x{200e}\x{200f}\x{202a}-\x{202e}\x{2066}-\x{2069}]`)
	deviceOfWindows  = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[1-9]|lpt[1-9])(\.|$)`)
)

// safeFilename is a name for a file of this kind that stays in its folder on every file system, and differs from those taken.
func safeFilename(filename, kind string, taken map[string]bool) string {
	name := cleaned(filename)
	if name == "" {
		name = cleaned(kind)
	}
	if name == "" {
		name = "file"
	}
	if deviceOfWindows.MatchString(name) {
		name = "_" + name
	}
	name = clipped(name)
	// File systems of Windows and macOS do not tell upper from lower case.
	for taken[strings.ToLower(name)] {
		name = cleaned(kind) + " " + name
	}
	return name
}

func cleaned(text string) string {
	return strings.Trim(unsafeCharacters.ReplaceAllString(strings.ToValidUTF8(text, "\ufffd"), "_"), " .")
}

// clipped keeps the first bytes of a name, up to the end of a character, and its extension.
func clipped(name string) string {
	if len(name) <= longestName {
		return name
	}
	extension := filepath.Ext(name)
	if length := utf8.RuneCountInString(extension); length < 2 || length > 11 {
		extension = ""
	}
	end := longestName - len(extension)
	for !utf8.RuneStart(name[end]) {
		end--
	}
	return name[:end] + extension
}
