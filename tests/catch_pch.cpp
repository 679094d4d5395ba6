// Holds nothing: the precompiled catch.hpp that all tests share is built with this file.
