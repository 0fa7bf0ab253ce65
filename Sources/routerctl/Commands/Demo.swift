import ArgumentParser

/// `routerctl demo`
struct Demo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "demo")
  func run() async throws {}
}
