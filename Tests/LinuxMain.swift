import Testing

/// Runs the tests. With this file, a build needs no index, with which SwiftPM finds tests of XCTest; there are none.
@main struct LinuxMain {
  static func main() async {
    // `swift test` first runs the tests of XCTest.
    guard CommandLine.arguments.contains("swift-testing") else { return }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
