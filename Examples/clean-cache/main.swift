import Router

do {
  try await withRouter {
    let isSure = try await confirm("Delete the cache?", button: "Delete", destructive: true)
    print(isSure ? "deleted" : "kept")
  }
} catch {
  print(error)  // nobody decided: the input ended
}
