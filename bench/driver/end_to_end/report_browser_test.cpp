// The report in a real browser, without a network. Skipped where no Chromium is installed.
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>

#include "bench/driver/end_to_end/driver_fixture.hpp"
#include "results/dataset/fixture.hpp"
#include "results/report/format.hpp"

namespace stealbench::end_to_end {
namespace {

/// The first of its names on the PATH; empty if none is.
std::filesystem::path find_chromium() {
  const char* const path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): one thread
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    for (const char* const name : {"chromium", "chromium-browser", "google-chrome"}) {
      std::filesystem::path file = std::filesystem::path(folder) / name;
      if (std::filesystem::exists(file)) return file;
    }
  }
  return {};
}

struct seen {
  std::string dom;                 ///< After all scripts.
  std::string console;             ///< The lines that the page caused on the console.
  std::set<std::string> requests;  ///< Addresses that the page asked for, by the network.
};

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class ReportInABrowser : public driver_fixture {
 protected:
  void SetUp() override {
    chromium_ = find_chromium();
    if (chromium_.empty()) GTEST_SKIP() << "no chromium on the PATH";
    std::ofstream(folder() / "compare.jsonl") << dataset::jsonl_of(dataset::made_comparison());
    ASSERT_EQ(drive({"report", folder().string()}).status, 0);
    page_ = text_of(folder() / "report.html");
  }

  [[nodiscard]] const std::string& page() const { return page_; }

  /// What a browser makes of it in a window of this width, without a network.
  [[nodiscard]] seen open(const std::string& html, unsigned width) const {
    const std::filesystem::path file = folder() / "page.html";
    const std::filesystem::path log = folder() / "net.json";
    std::ofstream(file) << html;
    const process_result result = run_program(
        chromium_,
        {"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-default-apps", "--disable-extensions", "--host-resolver-rules=MAP * ~NOTFOUND",
         "--enable-logging=stderr", "--hide-scrollbars",
         "--user-data-dir=" + (folder() / "profile").string(), "--log-net-log=" + log.string(),
         "--window-size=" + std::to_string(width) + ",800", "--dump-dom",
         "file://" + file.string()});
    EXPECT_EQ(result.status, 0) << result.errors;
    seen all{.dom = result.output, .console = {}, .requests = {}};
    std::istringstream lines(result.errors);
    for (std::string line; std::getline(lines, line);) {
      if (contains(line, "CONSOLE")) all.console += line + '\n';
    }
    all.requests = requests_in(text_of(log));
    return all;
  }

  /// The page with a script of the test's, which its own policy would not let run.
  [[nodiscard]] static std::string with_script(std::string html, const std::string& script) {
    const std::string policy = "Content-Security-Policy";
    const std::size_t at = html.find(policy);
    if (at != std::string::npos) html.replace(at, policy.size(), "x");
    return html.insert(html.rfind("</body>"), "<script>" + script + "</script>");
  }

  /// `inner width:width of all that is in the document`. In a frame, because a window of Chromium's
  /// is 500 px wide at least.
  [[nodiscard]] std::string widths(const std::string& html, unsigned width) const {
    const std::string wrapper =
        "<!DOCTYPE html><title></title><body style=\"margin:0\"><iframe style=\"border:0;width:" +
        std::to_string(width) + "px;height:800px\" srcdoc=\"" + report::escape_html(html) +
        "\"></iframe><script>onload = () => { const inner = frames[0]; document.title = 'widths ' "
        "+ "
        "inner.innerWidth + ':' + inner.document.documentElement.scrollWidth + ';' }</script>";
    const std::string dom = open(wrapper, width).dom;
    const std::size_t begin = dom.find("widths ") + 7;
    return dom.substr(begin, dom.find(';', begin) - begin);
  }

 private:
  /// The page's own: what the browser asks for itself is logged with no origin as its initiator.
  static std::set<std::string> requests_in(const std::string& log) {
    std::set<std::string> all;
    const json read = json::parse(log, nullptr, false);
    if (!read.is_object() || !read.contains("events")) {
      ADD_FAILURE() << "no log of the network";
      return all;
    }
    for (const json& event : read["events"]) {
      if (!event.contains("params") || !event["params"].contains("initiator")) continue;
      const json& what = event["params"];
      if (what["initiator"] != "not an origin") all.insert(what.at("url").get<std::string>());
    }
    return all;
  }

  std::filesystem::path chromium_;
  std::string page_;
};

TEST_F(ReportInABrowser, LoadsNothingAndCausesNoError) {
  const seen opened = open(page(), 1280);
  EXPECT_EQ(opened.console, "");
  EXPECT_EQ(opened.requests, std::set<std::string>{});
  // The same eyes see an error and a request where there are some.
  const seen bad = open(with_script(page(),
                                    "console.error('planted'); "
                                    "new Image().src = 'http://planted.invalid/x.png';"),
                        1280);
  EXPECT_TRUE(contains(bad.console, "planted"));
  EXPECT_EQ(bad.requests.count("http://planted.invalid/x.png"), 1U);
}

TEST_F(ReportInABrowser, HoldsEveryCell) {
  const std::string dom = open(page(), 1280).dom;
  const std::size_t begin = dom.find("<caption>fib n=20 <small>Measured on 2 processors: ");
  ASSERT_NE(begin, std::string::npos);
  const std::string table = dom.substr(begin, dom.find("</table>", begin) - begin);
  for (const std::string scheduler : {"serial", "work-stealing", "openmp"}) {
    for (const std::string workers : {"1", scheduler == "serial" ? "1 of 2" : "2"}) {
      const std::string start = "<th scope=\"row\" class=\"left\">" + scheduler +
                                "</th><td class=\"right\">" + workers + "</td>";
      EXPECT_TRUE(contains(table, start)) << start;
    }
  }
  EXPECT_TRUE(contains(table, "DNF"));
  EXPECT_TRUE(contains(dom, "timed out after 120 s"));
  EXPECT_TRUE(contains(dom, "<svg"));
}

// With its own fonts, whose widths the program can only guess.
TEST_F(ReportInABrowser, CutsNoTextOfAPlotAndScrollsNoTable) {
  const std::string script = R"(
    const faults = [];
    for (const each of document.querySelectorAll('details')) each.open = true;
    for (const each of document.querySelectorAll('.scroll')) {
      if (each.scrollWidth > each.clientWidth) faults.push('scrolls: ' + each.ariaLabel);
    }
    for (const svg of document.querySelectorAll('svg')) {
      const all = svg.viewBox.baseVal;
      const boxes = [...svg.querySelectorAll('text')].map(each => each.getBBox());
      boxes.forEach((one, i) => {
        if (one.x < all.x || one.x + one.width > all.x + all.width || one.y < all.y ||
            one.y + one.height > all.y + all.height) faults.push('cut: ' + svg.textContent);
        for (const other of boxes.slice(0, i)) {
          if (one.x < other.x + other.width && other.x < one.x + one.width &&
              Math.abs(one.y - other.y) < 0.7 * one.height) faults.push('overlaps');
        }
      });
    }
    document.title = 'faults: ' + faults.join() + ' of ' +
                     document.querySelectorAll('svg').length + ' plots')";
  EXPECT_TRUE(contains(open(with_script(page(), script), 1280).dom, "faults:  of 2 plots"));
  std::string bad = page();
  bad.insert(bad.find("</svg>"), "<text x=\"470\" y=\"9\">planted</text>");
  EXPECT_TRUE(contains(open(with_script(bad, script), 1280).dom, "faults: cut"));
}

TEST_F(ReportInABrowser, IsAtMostEightScreensLong) {
  const std::string height = "document.title = 'height ' + document.documentElement.scrollHeight";
  const auto height_of = [&](const std::string& html) {
    const std::string dom = open(with_script(html, height), 1280).dom;
    return std::stoi(dom.substr(dom.find("height ") + 7));
  };
  ASSERT_EQ(drive({"report", STEALBENCH_RUNS "/comparison", "--output", folder().string()}).status,
            0);
  const std::string all = text_of(folder() / "report.html");
  EXPECT_LE(height_of(all), 8 * 900);
  EXPECT_GT(height_of(all), 900);
}

TEST_F(ReportInABrowser, DoesNotScrollSidewaysOnANarrowScreen) {
  EXPECT_EQ(widths(page(), 400), "400:400");
  EXPECT_EQ(widths(page(), 1280), "1280:1280");
  std::string wide = page();
  wide.insert(wide.rfind("</main>"), "<div style=\"width:900px\">x</div>");
  EXPECT_NE(widths(wide, 400), "400:400");
}

}  // namespace
}  // namespace stealbench::end_to_end
