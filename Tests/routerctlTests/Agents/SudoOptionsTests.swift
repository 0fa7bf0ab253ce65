import Testing

@testable import RouterFrontEnds

/// The options with which `routerctl sudo` leaves a command line as it is.
struct SudoOptionsTests {
  @Test(arguments: [
    "true", "-u root true", "-uroot true", "-ku root true", "-p -S true", "-H -E true -S", "-i", "--user root true",
    "--us root true", "--us=root true", "--other-user=x true", "--prompt -S true", "--prom -S true", "--preserve-env=A,B true",
    "--pres true", "--login true", "-- -S", "FOO=1 true", "FOO=1 BAR=-S true -S", "FOO=1 -- -S", "/a=b -S",
  ])
  func `asks for the password`(line: String) {
    #expect(SudoOptions(line.split(separator: " ").map(String.init)).asksForPassword)
  }

  @Test(arguments: [
    "-S true", "-A true", "-n true", "-kS true", "-kSu root true", "-u root -S true", "--stdin true", "--askpass true",
    "--non-interactive true", "FOO=1 -S true", "-u root FOO=1 --stdin true", "FOO= -k BAR=2 -n true", "--std true", "--st true",
    "--a true", "--non true", "--us root --std true", "--us=root --std true", "--s true", "--n true",
    // Unknown options may take a value.
    "-X true", "-c class -S true", "--unknown true", "--unknown -S true", "--u=root -S true", "--userx root true",
  ])
  func `leaves the command line as it is`(line: String) {
    #expect(!SudoOptions(line.split(separator: " ").map(String.init)).asksForPassword)
  }
}
