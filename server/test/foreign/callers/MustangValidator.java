import org.mustangproject.validator.ZUGFeRDValidator;

/** Validates each file with Mustang: its XML against the schema and the rules of EN 16931, its PDF as PDF/A-3. Prints a line for each file. */
class MustangValidator {
    public static void main(String[] files) {
        for (String file : files) {
            ZUGFeRDValidator validator = new ZUGFeRDValidator();
            String report = validator.validate(file);
            boolean isValid = validator.wasCompletelyValid();
            System.out.println((isValid ? "VALID " : "INVALID ") + file + (isValid ? "" : " " + report.replace('\n', ' ')));
        }
    }
}
